"""CUDA_VISIBLE_DEVICES, written after CUDA has been initialised."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import cuda_api
from placefix.facts.context import FileAnalysis
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.facts.naming import is_cuda_variable
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.tree import dominates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.tree import Stmt

# Ways to start other processes, which the variable may be meant for.
_STARTS_PROCESSES = ("subprocess.", "multiprocessing.", "torch.multiprocessing.", "concurrent.futures.", "ray.")
_OF_SYSTEM = ("os.system", "os.exec", "os.spawn", "os.fork", "os.popen")
_ON_GPU = frozenset(("cuda", "index"))


class LateWrite(NamedTuple):
    """A write of CUDA_VISIBLE_DEVICES. row: 1-based line of the statement that has initialised CUDA."""

    finding: Finding
    row: int


class LateVisibility(FileAnalysis):
    """PF409 for one file."""

    def found(self) -> Iterator[LateWrite]:
        """The writes that CUDA no longer reads: a statement of the same function has initialised it, on every path."""
        imports = (
            full for scope in self.context.tree.scopes.values() for names in scope.imports.values() for full in names
        )
        called = (name for _, _, name in self.context.index.named if name is not None)
        if any(f"{full}.".startswith(_STARTS_PROCESSES) for full in imports) or any(
            name.startswith(_OF_SYSTEM) for name in called
        ):
            return
        writes = [stmt for stmt in self.context.tree.stmts.values() if self._is_write(stmt)]
        starts = list(self._starts()) if writes else []
        for stmt in writes:
            before = [one for one in starts if one is not stmt and one.scope is stmt.scope and dominates(one, stmt)]
            if before:
                row = min(one.node.lineno for one in before)
                yield LateWrite(Finding(self.context.span(stmt.node)), row)

    def _is_write(self, stmt: Stmt) -> bool:
        """Whether a statement is ``os.environ["CUDA_VISIBLE_DEVICES"] = …``."""
        target = stmt.node.targets[0] if isinstance(stmt.node, ast.Assign) else None
        if not isinstance(target, ast.Subscript) or not isinstance(target.slice, ast.Constant):
            return False
        if not is_cuda_variable(target.slice.value) or "VISIBLE" not in str(target.slice.value):
            return False
        return self.context.tree.qualname(target.value, stmt.scope) == "os.environ"

    def _starts(self) -> Iterator[Stmt]:
        """The statements that initialise CUDA whenever they run."""
        for call, stmt, name in self.context.index.named:
            if name is not None and name in cuda_api.INITIALISE and not _may_be_left_out(call, stmt):
                yield stmt
        for event in self.context.get(Flow).events:
            device = event.place.device if event.kind in ("place", "factory") and event.place is not None else None
            if device is not None and device.kind in _ON_GPU:
                yield event.stack[0].stmt
                yield event.stmt


def _may_be_left_out(call: ast.Call, stmt: Stmt) -> bool:
    """Whether a call is in a part of its statement that runs later, or under a condition."""
    parts = [part for part in walk(stmt.node) if isinstance(part, (ast.Lambda, ast.BoolOp, ast.IfExp))]
    return any(inner is call for part in parts for inner in walk(part))
