"""The device that a tensor is moved to, from the neighbouring lines or from the other operand."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Insert
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.device_selection import Devices, device_text
from placefix.facts.interpret.attribute_writes import AttributeStores, stores_of
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.arguments import self_class, self_name
from placefix.facts.program.ast_names import argument_values, dotted, is_name, item, parameters
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.tree import dominates
from placefix.facts.wording import unite
from placefix.rules.tensors.call_partners import Partners

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.facts.interpret.values import Event, Place
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Premise


class Destinations(FileAnalysis):
    """The spelling, at a statement, of the device of the tensor that another one meets."""

    flow = requires(Flow)

    def of_event(self, stmt: Stmt, event: Event) -> str:
        """Text of the device to move to at `stmt`, ".cuda()" in files that only know that, "" for none."""
        place = event.place
        sibling = self.beside(stmt)
        if sibling is not None and sibling.place is not None and sibling.place.device is not None:
            return sibling.place.device.text
        device = place.device if place is not None else None
        if place is None or device is None:
            return device_text(self.context, stmt)
        if is_joined(place):
            return self._under(place.event, device.text, stmt) if place.event is not None else ""
        here = device.text if place.event is not None and self._holds_until(device.text, place.event.stmt, stmt) else ""
        if _chain(here).partition(".[")[0].replace(".", "").isidentifier():
            return here
        plain_cuda = device.is_cuda and device.index is None and not device.text
        known = device_text(self.context, stmt) or here or self._of_instance(place, stmt)
        return known or (".cuda()" if plain_cuda else "")

    def _holds_until(self, text: str, move: Stmt, stmt: Stmt) -> bool:
        """Whether a device expression that a move read means the same at `stmt`, which always runs after the move."""
        return _runs_before(move, stmt) and not self.context.index.may_change(_chain(text), move, stmt)

    def _of_instance(self, place: Place, stmt: Stmt) -> str:
        """``self.device``, if another method of the class, or of a base, has placed the operand with it, and no other function sets it;
        "" for others."""
        if place.event is None or place.device is None:
            return ""
        mover = place.event.stmt.scope
        owner, _, attr = place.device.text.partition(".")
        me = self_name(stmt.scope)
        cls = self_class(stmt.scope, me)
        if not attr.isidentifier() or cls is None or self_class(mover, owner) is None:
            return ""
        info = self.context.get(ClassSummaries).of(cls)
        if mover not in info.methods.values():
            return ""
        stores = stores_of(self.context.get(AttributeStores).known, attr, cls)
        setting = {store.scope for store in stores}
        return f"{me}.{attr}" if len(setting) == 1 or (not setting and attr in info.properties) else ""

    @staticmethod
    def premises(events: Iterable[Event], device: str) -> tuple[Premise, ...]:
        """The assumptions if a tensor goes to `device` because it meets a tensor on a device that a flag chose; none if both are the same:
        the flag may choose the CPU on a machine with a GPU."""
        assumed: list[Premise] = []
        for event in events:
            lies = event.place.device if event.place is not None else None
            if lies is not None and lies.text != device and not device.endswith(".device"):
                assumed += lies.premises
        return unite(assumed)

    def of_creation(self, stmt: Stmt, event: Event) -> str:
        """As `of_event`, for a tensor that `stmt` makes: the device of the other operand, if the callers decide that."""
        device = self.of_event(stmt, event)
        partner = (
            self.context.get(Partners).device(event, stmt)
            if self.context.get(Partners).handed_in(event, device)
            else ""
        )
        return partner or device

    def of_use(self, event: Event) -> tuple[str, tuple[Insert, ...]]:
        """Text of the device to move to where the tensor is used, and the edits that define it; "" for none. One name in the whole function
        goes before that of an operand."""
        device = self.of_creation(event.stmt, event)
        if device:
            return device, ()
        device, defined = self.of_module(event.stmt)
        return device or self._of_operand(event), defined

    def _under(self, move: Event, asked: str, stmt: Stmt) -> str:
        """Text of a device that is CUDA exactly if a move under the test `asked` was made, "" if none is in scope."""
        inner: Stmt = move.stmt
        guards: list[tuple[ast.expr, bool]] = []
        for outer in move.stmt.ancestors():
            if isinstance(outer.node, ast.If):
                guards.append((outer.node.test, inner.suite is outer.suites[0]))
            inner = outer
        for part in ast.walk(move.stmt.node):
            if isinstance(part, ast.IfExp):
                guards += [
                    (part.test, arm is part.body) for arm in (part.body, part.orelse) if move.node in ast.walk(arm)
                ]
        to_cpu = move.place is not None and move.place.device is not None and move.place.device.is_cpu
        for test, yes in guards:
            if self.context.source.code(test) == asked:
                positive = yes != to_cpu
                reach = self.context.get(Devices).answering(test, positive, move.stmt.scope, stmt)
                return reach.text if reach is not None else ""
        return ""

    def _of_operand(self, event: Event) -> str:
        """``y.device`` for ``x + y``, ``torch.cdist(y, x)`` and the like, where an operand on the device has a name."""
        node, given = event.node, event.arg_node
        if isinstance(node, ast.BinOp):
            others = [side for side in (node.left, node.right) if side is not given]
        elif isinstance(node, ast.Compare):
            others = [side for side in (node.left, *node.comparators) if side is not given]
        elif isinstance(node, ast.Call) and event.what in ("operand", "loss"):
            met = [self.flow.binds.get(value.root()) for value in event.args]
            names = {bound[0] for bound in met if bound is not None}
            others = [operand for operand in argument_values(node) if operand is not given and dotted(operand) in names]
        else:
            return ""
        named = [dotted(other) for other in others]
        return f"{named[0]}.device" if len(named) == 1 and named[0] else ""

    def of_module(self, stmt: Stmt) -> tuple[str, tuple[Insert, ...]]:
        """`device`, and the edits that define it in a function that gets a trained model and no device:
        ``device = next(model.parameters()).device``. An empty text and no edits for others."""
        scope = stmt.scope
        if not scope.is_function or scope.lookup("device") is not None:
            return "", ()
        arguments = parameters(scope.function.args)
        trained = {m.root() for e in self.flow.events if e.kind == "optimizer" for m in e.args}
        for event in self.flow.events:
            if event.kind != "conflict" or event.what != "input" or event.stmt.scope is not scope:
                continue
            func = event.node.func if isinstance(event.node, ast.Call) else None
            if not isinstance(func, ast.Name):
                continue
            if (
                func.id in arguments
                and len(scope.bindings[func.id]) == 1
                and all(m.root() in trained for m in event.args)
            ):
                anchor = next(s for s in stmt.ancestors() if s.suite is scope.body)
                text = f"device = next({func.id}.parameters()).device"
                return "device", (Insert(self.context.span(anchor), text),)
        return "", ()

    def behind_move(self, name: str, bound: Stmt, event: Event) -> Insert | None:
        """``y = y.cuda()`` behind ``x = x.cuda()``, which is under the test that decides the device of the other operand, for a tensor
        that `bound` binds to a name and that an operation needs there; None if no such line runs between the two."""
        place = event.place
        if place is None or place.device is None or not name.isidentifier():
            return None
        bindings = self.context.index.binding(bound.scope, name)
        for move in self.flow.index.of_kind("place"):
            guard = move.stmt.parent
            if (
                guard is not None
                and _moves_name(move)
                and (move is place.event or self._is_under(move.stmt, guard, place.device.text))
                and bound.scope is move.stmt.scope is event.stmt.scope
                and all(_runs_before(b, move.stmt) or _is_made_of_itself(b, name) for b in bindings)
                and _runs_before(guard, event.stmt)
            ):
                value = move.stmt.node.value  # type: ignore[attr-defined]
                call = self.context.text(value).removeprefix(self.context.text(value.func.value))
                return Insert(self.context.span(move.stmt), f"{name} = {name}{call}", "after")
        return None

    def _is_under(self, stmt: Stmt, guard: Stmt, asked: str) -> bool:
        """Whether a statement is in the first arm of ``if asked:``."""
        is_first = isinstance(guard.node, ast.If) and stmt.suite is guard.suites[0]
        return is_first and self.context.source.code(guard.node.test) == asked  # type: ignore[attr-defined]

    def beside(self, stmt: Stmt) -> Event | None:
        """A move of a neighbouring element of the same batch."""
        return next((e for text, e in self._moves_of_elements.get(stmt, ()) if self._lasts(text, e.stmt, stmt)), None)

    @cached_property
    def _moves_of_elements(self) -> dict[Stmt, list[tuple[str, Event]]]:
        """The moves of elements, with the device's text, by the statement that binds the element."""
        found: dict[Stmt, list[tuple[str, Event]]] = {}
        for event in self.flow.events:
            if event.kind != "place" or not event.obj.is_element or event.what != "to" or event.place is None:
                continue
            bound, device = self.flow.binds.get(event.obj), event.place.device
            if bound is None or device is None or not isinstance(event.stmt.node, ast.Assign):
                continue
            if device.text and not device.is_cpu:
                found.setdefault(bound[1], []).append((device.text, event))
        return found

    def _lasts(self, text: str, later: Stmt, stmt: Stmt) -> bool:
        """Whether a device expression of a later statement, perhaps of another function, means the same at `stmt`."""
        names = {node.id for node in walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}
        return bool(names) and all(self._is_same(name, later, stmt) for name in names)

    def _is_same(self, name: str, later: Stmt, stmt: Stmt) -> bool:
        """Whether a name is that of one variable at both statements, which has its value already at `stmt`."""
        owner = stmt.scope.lookup(name)
        if owner is not later.scope.lookup(name):
            return False
        if owner is None:
            return self.context.tree.assume and name in self.context.tree.free_names.free  # nothing rebinds it
        return owner is not stmt.scope or all(
            dominates(b, stmt) and b is not stmt for b in self.context.index.binding(owner, name)
        )


def _chain(text: str) -> str:
    """The text of a device, and ``cfg.['device']`` for ``cfg["device"]``, as the index has it."""
    return (item(ast.parse(text, mode="eval").body) if text else "") or text


def _is_made_of_itself(binding: Stmt, name: str) -> bool:
    """Whether a statement is ``x = f(x)``."""
    node = binding.node
    return isinstance(node, ast.Assign) and any(is_name(part, name) for part in ast.walk(node.value))


def _moves_name(move: Event) -> bool:
    """Whether a move is ``x = x.cuda()``."""
    node, call = move.stmt.node, move.node
    return (
        move.place is not None
        and move.place.is_off_cpu
        and isinstance(node, ast.Assign)
        and node.value is call
        and isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and bool(dotted(call.func.value))
        and [dotted(target) for target in node.targets] == [dotted(call.func.value)]
    )


def _runs_before(stmt: Stmt, other: Stmt) -> bool:
    """Whether a statement of the same scope always runs before another one."""
    return stmt.scope is other.scope and (dominates(stmt, other) or stmt in other.ancestors())


def is_joined(place: Place | None) -> bool:
    """Whether the paths to a place have different devices: the text of the device is the test that separated them."""
    if place is None or place.device is None:
        return False
    device = place.device
    moved = place.event.place if place.event is not None else None
    return device.is_flag and device.origin is None and (moved is None or moved.device != device)
