"""Wraps by DataParallel and DistributedDataParallel, and the placement of the modules in them."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Move, Replace
from placefix.facts import reasons
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.device_selection import device_text
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import argument_value, dotted, is_literal
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.comparisons import device_test
from placefix.rules.ordering.exclusive_wraps import are_apart
from placefix.rules.ordering.misordered import Repair
from placefix.rules.ordering.reorder import Reorder
from placefix.rules.tensors.unplaced_modules import UnplacedModules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Span
    from placefix.facts.interpret.values import Event
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


class Wraps(FileAnalysis):
    """The wraps of one file."""

    reorder = requires(Reorder)

    def misplaced(self, kind: str) -> Iterator[MisplacedWrap]:
        """Wraps ("ddp" or "dp") whose module is placed only afterwards, to something other than the CPU."""
        if self.context.tree.framework:
            return
        for wrap in self.reorder.wraps():
            if (wrap.event.what == api.DDP) == (kind == "ddp"):
                found = self._misplaced(wrap, kind)
                if found is not None:
                    yield found

    def _misplaced(self, wrap: Wrap, kind: str) -> MisplacedWrap | None:
        """A wrap whose module is placed afterwards; None if that is on the CPU, or on another GPU than the wrap's."""
        place = wrap.placement.place if wrap.placement is not None else None
        device = place.device if place is not None else None
        if device is None or device.is_cpu:
            return None
        ids = device_ids(wrap.event)
        first = ids.elts[0] if isinstance(ids, (ast.List, ast.Tuple)) and ids.elts else None
        index = first.value if isinstance(first, ast.Constant) else 0 if ids is None else None
        if kind == "dp" and device.index is not None and index is not None and device.index != index:
            return None  # a mismatch of devices, not of order
        if kind == "ddp" and wrap.elsewhere and not ids:
            return None
        return MisplacedWrap(
            wrap,
            self.context.span(wrap.event.node),
            first is not None,
            wrap.elsewhere,
            device.kind in ("flag", "other") and self._may_run_on_cpu(wrap, device.text),
            wrap.event.place is not None and wrap.event.place.is_host,
        )

    def _may_run_on_cpu(self, wrap: Wrap, device: str) -> bool:
        """Whether the module may run on the CPU without its wrapper, given that the value of `device` is not known."""
        if self._counts_devices(wrap):
            return False
        return self._called_bare(wrap) or (self._is_returned(wrap) and not self._excludes_cpu(wrap, device))

    def _counts_devices(self, wrap: Wrap) -> bool:
        """Whether a wrap is under a test of the number of GPUs."""
        tests = (s.node.test for s in wrap.event.stmt.ancestors() if isinstance(s.node, ast.If))
        return any("device_count" in self.context.text(test) for test in tests)

    @cached_property
    def only_nccl(self) -> bool:
        """Whether every process group of the file is one of NCCL, by a literal."""
        found = []
        for call, stmt in self.context.index.calls:
            if self.context.tree.qualname(call.func, stmt.scope) == "torch.distributed.init_process_group":
                backend = argument_value(call, 0, "backend")
                found.append(is_literal(backend, "nccl"))
        return bool(found) and all(found)

    def _called_bare(self, wrap: Wrap) -> bool:
        """Whether the module is also run without its wrapper. Otherwise a program with a GPU that wraps a module and keeps
        it on the CPU raises at the first forward."""
        root = wrap.event.obj.root()
        conditional = any(isinstance(s.node, (ast.If, ast.Try)) for s in wrap.event.stmt.ancestors())
        return any(
            e.order > wrap.event.order and (not e.obj.is_wrapper or (e.obj.maybe and not conditional))
            for e in self.reorder.flow.index.of_root("call", root)
        )

    def _is_returned(self, wrap: Wrap) -> bool:
        """Whether the function that wraps returns the wrapper: a caller may run the module without it."""
        made = wrap.event.stmt
        bound = {assigned_text(made.node)} - {""}
        return made.scope.is_function and any(
            stmt is made or any(dotted(part) in bound for part in walk(stmt.node.value))
            for stmt in self.context.tree.stmts.values()
            if stmt.scope is made.scope and isinstance(stmt.node, ast.Return) and stmt.node.value is not None
        )

    def _excludes_cpu(self, wrap: Wrap, device: str) -> bool:
        """Whether a wrap is in the arm of a test that leaves out the CPU: the ``else`` of ``if device == "cpu":``."""
        inner = wrap.event.stmt
        for outer in wrap.event.stmt.ancestors():
            test = device_test(outer.node.test) if isinstance(outer.node, ast.If) else None
            if test is not None and test.device in (device, device + ".type") and test.name == "cpu":
                return test.equal != (inner.suite is outer.suites[0])
            inner = outer
        return False

    def unplaced(self, kind: str = api.DATA_PARALLEL) -> Iterator[Wrap]:
        """Wraps of a kind, of modules made in this file that are never placed: by DataParallel those that are called."""
        if self.context.tree.framework:
            return
        if self._uses_devices():
            yield from (wrap for wrap in self.reorder.wraps() if self._is_unplaced(wrap, kind))

    def _uses_devices(self) -> bool:
        """Whether the file places something off the CPU, or names CUDA or a device."""
        placed = self.reorder.flow.index.of_kind("place")
        if any(e.place is not None and e.place.device is not None and not e.place.device.is_cpu for e in placed):
            return True
        text = self.context.source.text
        return "cuda" in text or "device" in text.replace("device_ids", "").replace("device_count", "")

    def _is_unplaced(self, wrap: Wrap, kind: str) -> bool:
        """Whether a module of this file is wrapped, and never placed. The constructor of DataParallel accepts it, so that it must be called."""
        if wrap.placement is not None or wrap.event.what != kind:
            return False
        if kind == api.DATA_PARALLEL and _has_one_device(wrap.event):
            return False
        root = wrap.event.obj.root()
        placeable = root.items if root.loss else self.context.get(UnplacedModules).has_parameters(root)
        if self._placed_with_another(wrap.event) or not placeable or root.base is not None:
            return False
        if not (root.proven or (root in self.reorder.flow.outsiders and not root.outside)):
            return False
        if wrap.event.place is None or not wrap.event.place.is_host:
            return False
        called = self.reorder.flow.index.of_root("call", root)
        return (bool(called) or kind == api.DDP) and all(e.place is not None and e.place.is_host for e in called)

    def _placed_with_another(self, wrap: Event) -> bool:
        """Whether a wrap is made in the code of a class that is, or may be, a module: its placement places its parts."""
        classes = [cls for frame in wrap.stack if (cls := frame.stmt.scope.class_around) is not None]
        infos = map(self.context.get(ClassSummaries).of, classes)
        return any(info.is_module or not info.closed for info in infos)

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
            found = self._half_placed(event)
            if found is not None:
                yield found

    def _half_placed(self, event: Event) -> HalfPlaced | None:
        """A wrap whose module is placed only under tests that exclude it, with the edit that places its argument; None for others."""
        arg, root = event.arg_node, event.obj.root()
        if arg is None or not dotted(arg) or self.reorder.model_parallel(root) or _has_one_device(event):
            return None
        placements = self.reorder.placements(root, part=True)
        apart = (_on_gpu(p) and are_apart(self.reorder.order, p.stmt, event.stmt) for p in placements)
        if not placements or not all(apart):
            return None
        calls = [e for e in self.reorder.flow.index.of_root("call", root) if e.order > event.order]
        twin = placements[0].node
        if not any(self.reorder.flow.on_device(one) for call in calls for one in call.args):
            return None
        if not isinstance(twin, ast.Call) or not isinstance(twin.func, ast.Attribute):
            return None
        placed = self.context.span(twin.func.value)
        if dotted(twin.func.value) != dotted(arg) or self.context.span(twin).start != placed.start:
            return None  # also: parentheses around the placed expression
        span, code = self.context.span(arg), self.context.text(arg)
        move = self.context.source.text[placed.end : self.context.span(twin).end]
        return HalfPlaced(event, Replace(span, f"{code}{move}", code))

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
    found = argument_value(wrap.node, 1, "device_ids") if isinstance(wrap.node, ast.Call) else None
    return None if is_literal(found, None) else found


def only_device_id(wrap: Event) -> ast.expr | None:
    """The one id in the list of device_ids of a wrap, None for several and without a list."""
    ids = device_ids(wrap)
    return ids.elts[0] if isinstance(ids, (ast.List, ast.Tuple)) and len(ids.elts) == 1 else None


def _on_gpu(placement: Event) -> bool:
    """Whether a placement goes to something that may not be the CPU."""
    device = placement.place.device if placement.place is not None else None
    return device is not None and not device.is_cpu


def _has_one_device(wrap: Event) -> bool:
    """Whether a wrap has one device id: then its constructor moves the module."""
    return only_device_id(wrap) is not None


def is_below_same_test(wrap: Wrap, other: Wrap) -> bool:
    """Whether one `if` is around both wraps."""
    around = set(other.event.stmt.ancestors())
    return any(isinstance(stmt.node, ast.If) and stmt in around for stmt in wrap.event.stmt.ancestors())
