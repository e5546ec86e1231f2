"""Modules that break a wrapper: moved away under DDP, or not on the device where DataParallel expects them."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.interpret.events import statements_around
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.ast_names import literal_int
from placefix.facts.program.ast_walk import LOOPS
from placefix.rules.ordering.wraps import Wraps, device_ids

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.values import Event, Obj, Place
    from placefix.facts.program.tree import Stmt

_GPU = ("available", "flag", "cuda", "index")
_ENDS = (ast.Return, ast.Break, ast.Raise)


class Mismatch(NamedTuple):
    """A DataParallel wrap and the two GPUs that ought to be one."""

    wrap: Event
    first: int  # of device_ids
    held: int  # the index of the GPU with the module when it is called


class Wrapped(FileAnalysis):
    """Wrappers of one file, after they are made."""

    flow = requires(Flow)

    def moved_away(self) -> Iterator[Event]:
        """The first placement of each DDP's module that takes it from a GPU to the CPU, or to another GPU, and is
        followed by training."""
        for wrap in self._wraps(api.DDP):
            root, held = wrap.obj.root(), wrap.place
            for event in self._placed.get(root, ()):
                if event.order <= wrap.order or event.again:
                    continue
                if (
                    held is not None
                    and event.place is not None
                    and self._leaves(held, event.place, wrap)
                    and self._trained_after(wrap, event)
                ):
                    yield event
                    break
                held = event.place

    @cached_property
    def _placed(self) -> dict[Obj, list[Event]]:
        """The placements, by placed object."""
        found: dict[Obj, list[Event]] = {}
        for event in self.flow.index.of_kind("place"):
            if event.args:
                found.setdefault(event.args[0], []).append(event)
        return found

    def _wraps(self, what: str) -> Iterator[Event]:
        seen = set()
        for event in self.flow.index.of_kind("wrap"):
            if event.what == what and event.node not in seen and not event.obj.maybe:
                seen.add(event.node)
                yield event

    def _leaves(self, held: Place, to: Place, wrap: Event) -> bool:
        """Whether a move goes from a GPU to somewhere else, beyond doubt."""
        before, after = held.device, to.device
        if held.kind != "device" or before is None or after is None or before.is_cpu:
            return False
        if not after.is_cpu:
            return before.index is not None and after.index is not None and before.index != after.index
        return (
            before.kind in _GPU
            or self.context.get(Wraps).only_nccl
            or isinstance(device_ids(wrap), (ast.List, ast.Tuple))
        )

    def _trained_after(self, wrap: Event, move: Event) -> bool:
        """Whether the wrapper is called and an optimizer steps after a move, in the same loop or further down."""
        loops = _loops(move)

        def is_later(event: Event) -> bool:
            """Whether an event comes after the move, or in the same loop and so after it in the next iteration."""
            return not event.again and (event.order > move.order or not loops.isdisjoint(statements_around(event)))

        called = any(map(is_later, self.flow.index.of_object("call", wrap.obj)))
        return called and any(
            e.what == "step" and is_later(e) and _may_train(e.obj, wrap.obj.root())
            for e in self.flow.index.of_kind("state")
        )

    def elsewhere(self) -> Iterator[Mismatch]:
        """DataParallel wraps that replicate from one GPU, by number, while their module is on another."""
        for wrap in self._wraps(api.DATA_PARALLEL):
            ids = device_ids(wrap)
            first = 0
            if ids is not None:
                if not isinstance(ids, (ast.List, ast.Tuple)) or len(ids.elts) < 2:
                    continue  # with one number the constructor moves the module
                number = literal_int(ids.elts[0])
                if number is None:
                    continue
                first = number
            for event in self.flow.index.of_object("call", wrap.obj):
                if event.place is not None:
                    held = (
                        event.place.device.index if event.place.is_device and event.place.device is not None else None
                    )
                    if type(held) is int and held != first:
                        yield Mismatch(wrap, first, held)
                        break


def _may_train(optimizer: Obj, module: Obj) -> bool:
    """Whether an optimizer may have parameters of a module: it has some, or it is not known which it has."""
    roots = {member.root() for member in optimizer.members}
    return not roots or module in roots or any(not root.is_module for root in roots)


def _loops(event: Event) -> set[Stmt]:
    """The loops that go on after an event: none that it leaves, or that it may be the last thing in."""
    found = set()
    for frame in reversed(event.stack):
        stmt = frame.stmt
        for owner in (stmt, *stmt.ancestors()):
            if isinstance(owner.node, LOOPS):
                found.add(owner)
                continue
            if isinstance(owner.suite.stmts[-1].node, _ENDS):
                return found
            if isinstance(owner.node, ast.If) and owner is not stmt and _last_time(owner.node.test):
                return found
    return found


def _last_time(test: ast.expr) -> bool:
    """Whether a test may be about the last iteration: ``epoch == epochs - 1``, but not ``epoch % 10 == 0`` or ``rank == 0``."""
    if isinstance(test, ast.BoolOp):
        return any(_last_time(value) for value in test.values)
    if not isinstance(test, ast.Compare):
        return False
    if isinstance(test.left, ast.BinOp) and isinstance(test.left.op, ast.Mod):
        return False
    return not all(isinstance(c, ast.Constant) for c in test.comparators)
