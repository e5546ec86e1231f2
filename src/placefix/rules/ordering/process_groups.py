"""The process group in which a statement runs: where `torch.distributed.init_process_group` has been called before it."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.callees import code_of
from placefix.facts.program.tree import dominates
from placefix.rules.ordering.wraps import device_ids

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.values import Event
    from placefix.facts.program.tree import Scope, Stmt

_INIT = "torch.distributed.init_process_group"
_DESTROY = "torch.distributed.destroy_process_group"
_IS_INITIALIZED = "torch.distributed.is_initialized"
# Collectives by which a program may average its gradients itself.
_REDUCES = frozenset(
    ("all_reduce", "all_reduce_coalesced", "reduce", "all_gather", "all_gather_into_tensor", "broadcast")
)
_MAX_DEPTH = 3


class Replicated(NamedTuple):
    """A DataParallel wrap in a process of a distributed run.

    row: 1-based line of the call that starts the process group. by_rank: the module is on a GPU of this process, but
    DataParallel, without device_ids, looks for it on the first. trained: an optimizer step or a backward pass of the file follows.
    reduces: a collective of the file may average the gradients. ddp: the file also wraps with DistributedDataParallel.
    """

    wrap: Event
    row: int
    by_rank: bool
    trained: bool
    reduces: bool
    ddp: bool


class ProcessGroups(FileAnalysis):
    """The process groups that one file starts."""

    def replicated(self) -> Iterator[Replicated]:
        """The DataParallel wraps that run after the process group has been started, on every path."""
        seen = set()
        events = self.context.get(Flow).index.of_kind("wrap")
        ddp = any(event.what == api.DDP for event in events)
        for event in events:
            if event.what != api.DATA_PARALLEL or event.node in seen:
                continue
            started = self.started(event)
            if started is not None:
                seen.add(event.node)
                row = started.node.lineno
                yield Replicated(event, row, _is_on_ranks_gpu(event), self._trains, self._reduces, ddp)

    @cached_property
    def parallel_calls(self) -> list[Event]:
        """The calls of modules in DistributedDataParallel while there are several processes."""
        events = self.context.get(Flow).index
        wraps = {e.node for e in events.of_kind("wrap") if e.what == api.DDP and self.started(e) is not None}
        return [e for e in events.of_kind("call") if e.obj.is_wrapper and e.obj.origin in wraps] if wraps else []

    def started(self, event: Event) -> Stmt | None:
        """The statement that has started a group of more than one process when an event happens, None if that is not shown."""
        starts = (self.started_before(frame.stmt) for frame in event.stack)
        return next((start for start in starts if start is not None), None)

    def started_before(self, stmt: Stmt) -> Stmt | None:
        """The statement that has started such a group whenever a statement of the same function runs, None if that is not shown."""
        for start in self._starts.get(stmt.scope, ()):
            if dominates(start, stmt) and not any(dominates(start, end) and dominates(end, stmt) for end in self._ends):
                return start
        return None

    @property
    def first_row(self) -> int:
        """The 1-based line of the first statement that starts a group of more than one process, 0 without one."""
        return min((stmt.node.lineno for stmts in self._starts.values() for stmt in stmts), default=0)

    @cached_property
    def _starts(self) -> dict[Scope, list[Stmt]]:
        """The statements that start a process group whenever they run, by scope: calls of torch's function, and of functions that make such
        a call on every path."""
        found: dict[Scope, list[Stmt]] = {}
        for call, stmt in self.context.index.calls:
            if self._starts_group(call, stmt.scope, 0):
                found.setdefault(stmt.scope, []).append(_whole(stmt))
        return found

    def _starts_group(self, call: ast.Call, scope: Scope, depth: int) -> bool:
        if scope.tree.qualname(call.func, scope) == _INIT:
            return not any(k.arg == "world_size" and _is_one(k.value) for k in call.keywords)
        callee = code_of(call, scope, None) if depth < _MAX_DEPTH else None
        if callee is None or callee.tree is not self.tree:
            return False
        return any(
            _whole(stmt).suite.owner is None and self._starts_group(one, callee, depth + 1)
            for one, stmt in self._calls.get(callee, ())
        )

    @cached_property
    def _calls(self) -> dict[Scope, list[tuple[ast.Call, Stmt]]]:
        """The calls of the file by the scope that makes them."""
        found: dict[Scope, list[tuple[ast.Call, Stmt]]] = {}
        for call, stmt in self.context.index.calls:
            found.setdefault(stmt.scope, []).append((call, stmt))
        return found

    @cached_property
    def _ends(self) -> list[Stmt]:
        """The statements that end a process group."""
        calls = self.context.index.called("destroy_process_group")
        return [stmt for call, stmt in calls if self.tree.qualname(call.func, stmt.scope) == _DESTROY]

    @cached_property
    def _trains(self) -> bool:
        return ".backward(" in self.context.source.text and ".step(" in self.context.source.text

    @cached_property
    def _reduces(self) -> bool:
        return any(dotted(call.func).rpartition(".")[2] in _REDUCES for call, _ in self.context.index.calls)


def _whole(stmt: Stmt) -> Stmt:
    """The statement, or the `if` around it that only tests whether the group has been started already."""
    owner = stmt.suite.owner
    if owner is None or not isinstance(owner.node, ast.If) or stmt.suite.arm != "body":
        return stmt
    test = owner.node.test
    asked = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else None
    if isinstance(asked, ast.Call) and stmt.scope.tree.qualname(asked.func, stmt.scope) == _IS_INITIALIZED:
        return owner
    return stmt


def _is_one(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value == 1


def _is_on_ranks_gpu(wrap: Event) -> bool:
    """Whether the module is on a GPU that a variable names, and DataParallel looks for it on the first."""
    device = wrap.place.device if wrap.place is not None else None
    return device is not None and device.has_number and device.index is None and device_ids(wrap) is None
