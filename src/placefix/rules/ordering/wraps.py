"""Wraps by DataParallel and DistributedDataParallel, and the placement of the modules in them."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Move, Replace
from placefix.facts import reasons
from placefix.facts import torch_api as api
from placefix.facts.devices.device_selection import device_text
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.program.ast_names import dotted
from placefix.rules.ordering.exclusive_wraps import are_apart
from placefix.rules.ordering.misordered import Repair
from placefix.rules.ordering.reorder import Reorder
from placefix.rules.tensors.unplaced_modules import Stays

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Span
    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Event
    from placefix.facts.program.tree import Scope
    from placefix.rules.ordering.misordered import Wrap


class MisplacedWrap(NamedTuple):
    """A wrap that is followed by the placement of its module."""

    wrap: Wrap
    span: Span
    has_device_ids: bool
    elsewhere: bool
    cpu_by_flag: bool
    on_host: bool  # the module is proven to be on the CPU when it is wrapped


class HalfPlaced(NamedTuple):
    """A wrap, and the placement of its module on another path written into the wrap's argument."""

    wrap: Event
    edit: Replace


class Wraps:
    """The wraps of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context

    @cached_property
    def reorder(self) -> Reorder:
        """The analysis that plans moves of statements."""
        return self.context.get(Reorder)

    def misplaced(self, kind: str) -> Iterator[MisplacedWrap]:
        """Wraps ("ddp" or "dp") whose module is placed only afterwards, to something other than the CPU."""
        if self.context.tree.framework:
            return
        for wrap in self.reorder.wraps():
            if (
                (wrap.event.what == api.DDP) != (kind == "ddp")
                or wrap.placement is None
                or wrap.placement.place is None
            ):
                continue
            device = wrap.placement.place.device
            if device is None or device.is_cpu:
                continue
            ids = device_ids(wrap.event)
            first = ids.elts[0] if isinstance(ids, (ast.List, ast.Tuple)) and ids.elts else None
            index = first.value if isinstance(first, ast.Constant) else 0 if ids is None else None
            if kind == "dp" and device.index is not None and index is not None and device.index != index:
                continue  # a mismatch of devices, not of order
            if kind == "ddp" and wrap.elsewhere and not ids:
                continue
            guarded = any(
                isinstance(s.node, ast.If) and "device_count" in self.context.text(s.node.test)
                for s in wrap.event.stmt.ancestors()
            )
            yield MisplacedWrap(
                wrap,
                self.context.span(wrap.event.node),
                first is not None,
                wrap.elsewhere,
                device.kind in ("flag", "other") and not guarded and self._called_bare(wrap),
                wrap.event.place is not None and wrap.event.place.is_host,
            )

    @cached_property
    def only_nccl(self) -> bool:
        """Whether every process group of the file is one of NCCL, by a literal."""
        found = []
        for call, stmt in self.context.index.calls:
            if self.context.tree.qualname(call.func, stmt.scope) == "torch.distributed.init_process_group":
                backend = _keyword(call, "backend") or (call.args[0] if call.args else None)
                found.append(isinstance(backend, ast.Constant) and backend.value == "nccl")
        return bool(found) and all(found)

    def _called_bare(self, wrap: Wrap) -> bool:
        """Whether the module is also run without its wrapper: only then did a program run to the end
        that wrapped a module, kept it on the CPU and had a GPU in sight."""
        root = wrap.event.obj.root()
        conditional = any(isinstance(s.node, (ast.If, ast.Try)) for s in wrap.event.stmt.ancestors())
        return any(
            e.order > wrap.event.order and (e.obj.kind != "wrapper" or (e.obj.maybe and not conditional))
            for e in self.reorder.flow.index.of_root("call", root)
        )

    def unplaced(self) -> Iterator[Wrap]:
        """DataParallel wraps of modules made in this file that are called and never placed."""
        if self.context.tree.framework:
            return
        events = self.reorder.flow.index
        if not any(
            e.place is not None and e.place.device is not None and not e.place.device.is_cpu
            for e in events.of_kind("place")
        ) and (
            "cuda" not in self.context.source.text
            and "device" not in self.context.source.text.replace("device_ids", "").replace("device_count", "")
        ):
            return
        for wrap in self.reorder.wraps():
            if wrap.placement is not None or wrap.event.what != api.DATA_PARALLEL:
                continue
            ids = device_ids(wrap.event)
            if isinstance(ids, (ast.List, ast.Tuple)) and len(ids.elts) == 1:
                continue  # with one id the constructor moves the module
            root = wrap.event.obj.root()
            if self._placed_with_another(wrap.event) or not (
                root.items if root.loss else self.context.get(Stays).has_parameters(root)
            ):
                continue
            called = events.of_root("call", root)
            if (
                not (root.proven or (root in self.reorder.flow.outsiders and not root.outside))
                or root.base is not None
                or not called
                or wrap.event.place is None
                or not wrap.event.place.is_host
            ):
                continue
            if all(e.place is not None and e.place.is_host for e in called):
                yield wrap

    def _placed_with_another(self, wrap: Event) -> bool:
        """Whether a wrap is made in the code of a class that is, or may be, a module: its placement places its parts."""
        for frame in wrap.stack:
            scope: Scope | None = frame.stmt.scope
            while scope is not None and not scope.is_class:
                scope = scope.parent
            if scope is not None and (
                (info := self.context.get(ClassSummaries).of(scope)).is_module or not info.closed
            ):
                return True
        return False

    def half_placed(self) -> Iterator[HalfPlaced]:
        """Wraps that are called with tensors of a device, where every placement of the module is under a test that the wrap's test
        excludes."""
        if self.context.tree.framework:
            return
        seen = set()
        for event in self.reorder.flow.events:
            if event.kind != "wrap" or event.what != api.DATA_PARALLEL or event.node in seen:
                continue
            seen.add(event.node)
            ids, arg, root = device_ids(event), event.arg_node, event.obj.root()
            if arg is None or not dotted(arg) or self.reorder.model_parallel(root):
                continue
            if isinstance(ids, (ast.List, ast.Tuple)) and len(ids.elts) == 1:
                continue  # with one id the constructor moves the module
            placements = self.reorder.placements(root, part=True)
            if not placements or not all(
                _on_gpu(p) and are_apart(self.reorder.order, p.stmt, event.stmt) for p in placements
            ):
                continue
            calls = [e for e in self.reorder.flow.index.of_root("call", root) if e.order > event.order]
            twin = placements[0].node
            if not any(self.reorder.flow.on_device(one) for call in calls for one in call.args) or not isinstance(
                twin, ast.Call
            ):
                continue
            if isinstance(twin.func, ast.Attribute) and dotted(twin.func.value) == dotted(arg):
                if self.context.span(twin).start != self.context.span(twin.func.value).start:
                    continue  # parentheses around the placed expression
                span, code = self.context.span(arg), self.context.text(arg)
                move = self.context.source.text[self.context.span(twin.func.value).end : self.context.span(twin).end]
                yield HalfPlaced(event, Replace(span, f"{code}{move}", code))

    def place_argument(self, wrap: Wrap) -> Repair:
        """Write the placement into the wrap's argument, with a device that is in reach there."""
        arg = wrap.event.arg_node
        if arg is None:
            return Repair(why_not=reasons.WRAPPED_NOT_AN_ARGUMENT)
        stmt = wrap.event.stmt
        edits: list[Move | Replace] = []
        ids = device_ids(wrap.event)
        first = ids.elts[0] if isinstance(ids, (ast.List, ast.Tuple)) and ids.elts else None
        if isinstance(first, ast.Constant) and first.value != 0:
            return Repair(why_not=reasons.FIRST_DEVICE_ID(index=first.value))
        text = device_text(self.context, stmt)
        if not text:
            below = self.reorder.device_below(stmt)
            if below is None:
                return Repair(why_not=reasons.NO_DEVICE_AT_WRAP)
            text, definition = below
            edits.append(Move((self.context.span(definition),), self.context.span(stmt)))
        code = self.context.text(arg)
        simple = isinstance(arg, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
        edits.append(Replace(self.context.span(arg), f"{code if simple else f'({code})'}.to({text})", code))
        return Repair(tuple(edits))


def device_ids(wrap: Event) -> ast.expr | None:
    """The device_ids that a wrap is given, None without them."""
    call = wrap.node
    found = _keyword(call, "device_ids")
    if found is None and isinstance(call, ast.Call) and len(call.args) > 1:
        found = call.args[1]
    return None if isinstance(found, ast.Constant) and found.value is None else found


def _keyword(call: ast.expr, name: str) -> ast.expr | None:
    if isinstance(call, ast.Call):
        for keyword in call.keywords:
            if keyword.arg == name:
                return keyword.value
    return None


def _on_gpu(placement: Event) -> bool:
    """Whether a placement goes to something that may not be the CPU."""
    device = placement.place.device if placement.place is not None else None
    return device is not None and not device.is_cpu
