"""Tensors that meet a placed module, a loss or another tensor on the wrong device.

The flow analysis records each of these operations as a `conflict`. Other modules know the place of the repair: the top of a
loop over a loader and the line behind the statement that unpacks a batch (`unmoved_batches`), or the creation of a tensor
(`script_tensors`). This module has their common queries, and the repair at the use itself.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.facts import premises, reasons
from placefix.facts.finding import Finding
from placefix.facts.interpret.arriving_values import (
    comes_from_caller,
    comes_from_loader,
    doubt_of_results,
    is_assumed_to_arrive,
    returns_on_device,
)
from placefix.facts.interpret.events import called_module
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.ast_names import argument_values
from placefix.facts.program.ast_walk import walk
from placefix.facts.wording import unite
from placefix.rules import messages
from placefix.rules.tensors.call_partners import Partners
from placefix.rules.tensors.separate_devices import SeparateDevices
from placefix.rules.tensors.target_devices import Destinations
from placefix.rules.tensors.tensor_moves import moved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Edit, Span
    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Event, Obj
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Doubt, Premise

# Uses after which a tensor may be on the device as well as on the host.
FREE = frozenset({"device", "neutral", "moved", "sequence"})
# Conflicts in calls of modules that are not seen.
NOT_SEEN = frozenset({"taken", "beside"})


def is_operand_in(use: str, node: ast.AST, expr: ast.expr) -> bool:
    """Whether a use of a tensor is that beside another one on the CPU, in `expr`: if both are moved, it is free."""
    return use == "host operand" and any(part is node for part in walk(expr))


def origin_premises(tensor: Obj) -> tuple[Premise, ...]:
    """The premises of a tensor, and of those that it is computed from."""
    return unite(tensor.premises, *(root.premises for root in tensor.roots))


class Met(NamedTuple):
    """A tensor or an element of a loader, `root`, and a conflict that moving it settles."""

    root: Obj
    event: Event


class Conflicts:
    """The conflicts of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.flow = context.get(Flow)
        self.events = self.flow.index.of_kind("conflict")

    @staticmethod
    def made_of(obj: Obj) -> list[Obj]:
        """The loader elements and creations an object is computed from."""
        return [r for r in (obj, *(obj.roots - {obj})) if r.is_element or torch_model.is_factory(r.name)]

    def premises(self, found: list[Met], device: str = "", *, at_use: bool = False) -> tuple[Premise, ...]:
        """The premises of moving these tensors to a device; none if the move is proven.

        at_use: whether they are moved at this use only, and stay on their device for all others.
        """
        assumed = unite(*(self._premises(root, event, at_use=at_use) for root, event in found))
        if any(event.what in NOT_SEEN for _, event in found):
            return assumed
        if self.is_wanted_elsewhere(found, at_use=at_use):
            assumed = unite(assumed, premises.OTHER_CALL_WANTS_CPU)
        if not device:
            return assumed
        events = [event for _, event in found]
        destinations, partners = self.context.get(Destinations), self.context.get(Partners)
        return unite(assumed, destinations.premises(events, device), partners.premises(events, device))

    @staticmethod
    def of_operands(event: Event) -> tuple[Premise, ...]:
        """The premises of the operands of a conflict: that they are where they are shown to be."""
        met = () if event.what == "input" else (event.obj, *event.args)
        partners = () if event.what in NOT_SEEN else (other.root().premises for other in event.args)
        return unite(origin_premises(event.obj), *partners, *map(returns_on_device, met))

    def is_wanted_elsewhere(self, found: list[Met], *, at_use: bool = False) -> bool:
        """Whether another run of the function may need one of these on the CPU; `at_use`: in the same operation."""
        contexts = [(o, event.arg_node) for root, event in found for o in self.bound_with(root) if o is not root]
        return any(
            what not in FREE and (not at_use or node is there)
            for o, there in contexts
            for what, node in self.flow.uses.get(o, ())
        )

    def _premises(self, root: Obj, event: Event, *, at_use: bool) -> Iterator[Premise]:
        """The premises of moving one of them."""
        if event.what in NOT_SEEN or self._is_of_outsider(event):
            yield self.taken(event)
        else:
            for other in event.args:
                yield from other.root().premises
        yield from origin_premises(root)
        if event.what != "input":
            for value in (event.obj, *event.args):
                yield from returns_on_device(value)
        if event.obj.is_element and event.obj.value != "tensor" and root.value != "tensor":
            yield premises.ELEMENT_IS_TENSOR
        if event.place is not None and event.place.device is not None and event.place.device.index not in (None, 0):
            yield premises.MODULE_ON_NUMBERED_GPU
        moves_in_place = root.whole is not None and root.whole.kind == "encoding"
        if (not at_use or moves_in_place) and any(what not in FREE for what, _ in self.flow.uses.get(root, ())):
            yield premises.BATCH_WANTED_ELSEWHERE

    def doubt(self, found: list[Met]) -> Doubt | None:
        """Why the program may run without error although these meet tensors on a device; None if it is proven to fail."""
        for root, event in found:
            if event.what in NOT_SEEN:
                return premises.MAY_MOVE_ARGUMENTS(function=self._called(event))
            if any(torch_model.leaves_tensors(one.name) for one in (root, *root.roots)):
                return premises.MAY_ARRIVE_ON_DEVICE
            arrives = is_assumed_to_arrive(root)
            if arrives and (comes_from_caller(root) or comes_from_loader(root) or not self._is_plain(event)):
                return premises.MAY_ARRIVE_ON_DEVICE
            if origin_premises(root) and not arrives:
                return premises.DATASET_MAY_PLACE if root.is_element else premises.MAY_ARRIVE_ON_DEVICE
            doubt = doubt_of_results((event.obj, *event.args))
            if doubt is not None:
                return doubt
            if event.place is not None and self.context.get(SeparateDevices).is_one_of_several(
                event.place.device, event.place.event.stmt if event.place.event is not None else event.stmt
            ):
                return premises.NOTHING_FAILS_ON_CPU
            if self._is_of_outsider(event):
                if event.node in self.flow.guessed:
                    return premises.MODEL_DEVICE_NOT_SEEN(model=self._called(event))
                return premises.MAY_MOVE_ARGUMENTS(function=self._called(event))
        return None

    @staticmethod
    def _is_plain(event: Event) -> bool:
        """Whether the tensors meet in an operation of torch, and no module has made one of them."""
        return event.what in ("operand", "loss", "indexed") and not any(
            map(returns_on_device, (event.obj, *event.args))
        )

    def _is_of_outsider(self, event: Event) -> bool:
        """Whether a tensor is an input of a module whose code is not in the repository, and that is one by its use alone."""
        return event.what == "input" and any(module.root() in self.flow.outsiders for module in event.args)

    def met(self, found: list[Met]) -> tuple[tuple[Span, Span], ...]:
        """The operations in which these meet tensors on a device, each with the operand that is one of these."""
        span = self.context.span
        return tuple(sorted({(span(event.node), span(event.arg_node or event.node)) for _, event in found}))

    @cached_property
    def _by_operation(self) -> dict[tuple[Span, Span], Event]:
        """The first conflict of each operation and operand, by their spans."""
        span = self.context.span
        return {(span(e.node), span(e.arg_node or e.node)): e for e in reversed(self.events)}

    def against(self, met: tuple[tuple[Span, Span], ...]) -> str:
        """The other operand in the first of these operations (`met`), with its device and the line that placed it:
        "`model(x)` is on `device` (line 12)"; "" if unknown."""
        event = self._by_operation.get(met[0]) if met else None
        if event is None:
            return ""
        other = self._other(event)
        place, row = event.place, ""
        if place is None or place.device is None or place.device.is_cpu:
            return ""
        if place.event is not None and place.event.order >= 0:
            row = f" ({self.context.source.row_name(place.event.node.lineno)})"
        device = place.device.text
        is_flag = place.device.is_flag and place.device.origin is None  # then its text is a test
        where = f"`{device}`" if device and device[0] not in "'\"f" and not is_flag else messages.A_DEVICE
        return messages.AGAINST.format(other=other, where=where) + row

    def creations(self, met: tuple[tuple[Span, Span], ...]) -> set[Span]:
        """The calls of factories that the operands of these operations (`met`) are made by; none if another file makes one."""
        events = filter(None, map(self._by_operation.get, met))
        made = {one.origin for e in events for one in self.made_of(e.obj) if one.origin is not None}
        own = {call for call, _ in self.context.index.calls}
        return set(map(self.context.span, made)) if made <= own else set()

    def _operands(self, event: Event) -> list[ast.expr]:
        """The operands of an operation; of a call of a module the module."""
        node = event.node
        if event.what in ("elsewhere", "beside"):
            return []
        if event.what in ("input", "taken") and isinstance(node, ast.Call):
            return [called_module(self.context.tree, event)]
        if isinstance(node, ast.Call):
            method = self.context.tree.qualname(node.func, event.stmt.scope) is None  # of no imported module
            of_tensor = isinstance(node.func, ast.Attribute) and method and event.what != "loss"
            receiver = [node.func.value] if of_tensor else []  # type: ignore[attr-defined]
            return [*receiver, *argument_values(node)]
        if isinstance(node, ast.BinOp):
            return [node.left, node.right]
        if isinstance(node, ast.Attribute) and isinstance(event.stmt.node, ast.Assign):  # net.hidden = x
            return [node.value]
        if isinstance(node, ast.Subscript) and event.what == "operand":  # items are written
            return [node, *filter(None, (getattr(event.stmt.node, "value", None),))]
        return [node.slice] if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Tuple) else []

    def _other(self, event: Event) -> str:
        """The other operand of an operation, by its text if that is short."""
        given = event.arg_node
        # the items of `torch.cat([x, y])` are operands of each other
        operands = self._operands(event)
        others = [part for o in operands for part in (o.elts if isinstance(o, (ast.List, ast.Tuple)) else (o,))]
        found = [o for o in others if o is not given and not isinstance(o, ast.Constant)] if given is not None else []
        text = self.context.text(found[0]) if found else ""
        if text and len(text) <= 40 and "\n" not in text:
            return f"`{text}`"
        return messages.OTHER_OPERAND.get(event.what, messages.OTHER_OPERAND["operand"])

    def taken(self, event: Event) -> Premise:
        """The premise of moving something to a module which nothing is known of."""
        return premises.MOVES_NO_ARGUMENTS(function=self._called(event))

    def _called(self, event: Event) -> str:
        """The text of the function that an event calls; of an operation the whole text."""
        return self.context.text(called_module(self.context.tree, event))

    def bound_with(self, root: Obj) -> list[Obj]:
        """The objects that the same statement binds to the same name, in every run of its function."""
        bound = self.flow.binds.get(root)
        return self._bound[bound] if bound is not None else [root]

    @cached_property
    def _bound(self) -> dict[tuple[str, Stmt], list[Obj]]:
        """The bound objects, by name and statement."""
        found: dict[tuple[str, Stmt], list[Obj]] = {}
        for obj, bound in self.flow.binds.items():
            found.setdefault(bound, []).append(obj)
        return found

    def at_use(self, node: ast.expr, found: list[Met]) -> Finding:
        """The finding for a tensor that has to be moved at a use, in `node`."""
        event = found[0].event
        span = self.context.span(node)
        unrepaired = Finding(
            span,
            event.what,
            doubt=self.doubt(found),
            met=self.met(found),
            shares=self.numbers(found),
            names=(self.context.text(node),),
        )
        device, defined = self.context.get(Destinations).of_use(event)
        if not device:
            return unrepaired._replace(why_not=reasons.NO_DEVICE_HERE)
        if isinstance(getattr(node, "ctx", None), ast.Store):  # x += y
            return unrepaired._replace(why_not=reasons.CHANGED_IN_PLACE)
        if (
            isinstance(node, ast.Starred)
            or self.may_be_container(event.obj)
            or (
                event.obj.is_element
                and event.obj.value != "tensor"
                and event.what == "input"
                and self._is_spread(node, event)
            )
        ):
            return unrepaired._replace(why_not=reasons.CONTENTS_NOT_KNOWN, device=device)
        edits: tuple[Edit, ...] = (*defined, moved(self.context.source, node, device))
        return unrepaired._replace(edits=edits, premises=self.premises(found, device, at_use=True), device=device)

    def may_be_container(self, obj: Obj) -> bool:
        """Whether an object is a loader's element that the program uses as a mapping, perhaps in an arm of a test of its type, or as a sequence,
        where nothing shows that it is a tensor: a tuple of `collate_fn` has no `.to()`."""
        uses = self.flow.uses.get(obj, ()) if obj.is_element else ()
        return any(what == "mapping" or (what == "sequence" and obj.value != "tensor") for what, _ in uses)

    def numbers(self, found: list[Met]) -> tuple[int, ...]:
        """The numbers of the tensors that these are made of: findings that have one in common have one fix."""
        return tuple(sorted({self._numbers[root] for one in found for root in self.made_of(one.event.obj)}))

    @cached_property
    def _numbers(self) -> dict[Obj, int]:
        """A number for each tensor that conflicts are about, the same in each run."""

        def place(root: Obj) -> tuple[int, int, str]:
            """The sort key of an object: the position of its creation, then its attribute."""
            return getattr(root.origin, "lineno", 0), getattr(root.origin, "col_offset", 0), root.attr

        found: dict[Obj, int] = {}
        for event in self.events:
            for root in sorted(self.made_of(event.obj), key=place):
                found.setdefault(root, len(found))
        return found

    @staticmethod
    def _is_spread(node: ast.expr, event: Event) -> bool:
        """Whether an expression is passed as ``**node``."""
        call = event.node
        return isinstance(call, ast.Call) and any(k.arg is None and k.value is node for k in call.keywords)


def keeps_gradient(made: ast.expr) -> bool:
    """Whether an expression makes a tensor that collects a gradient; a moved copy of it does not."""
    for node in walk(made):
        if not isinstance(node, ast.Call):
            continue
        asked = [k.value for k in node.keywords if k.arg == "requires_grad"]
        if isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_":
            asked += node.args or [node]
        if any(not isinstance(value, ast.Constant) or value.value for value in asked):
            return True
    return False
