"""The values of names where the flag of a guard is off."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.devices.device_selection import Devices
from placefix.facts.program.ast_names import has_name
from placefix.facts.program.ast_walk import LOOPS

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.conditions import Test
    from placefix.facts.program.tree import Stmt


class ValuesWithoutFlag:
    """The values of names in one file if a flag is off. positive: whether the guard that tests it runs if the test is true."""

    def __init__(self, context: AnalysisContext, test: Test, *, positive: bool) -> None:
        self.context = context
        self.test = test
        self.positive = positive

    def of(self, name: str, stmt: Stmt) -> list[tuple[ast.expr | None, Stmt]]:
        """The values that a name may have got last before `stmt` where the flag is off; empty where that is not known."""
        for inner in stmt.ancestors():
            for earlier in reversed(inner.suite.stmts[: inner.index]):
                if not _binds(earlier, name):
                    continue
                found = self._last(earlier, name)
                if found is not None:
                    return found
            owner = inner.suite.owner
            if owner is None or not isinstance(owner.node, LOOPS):
                continue
            if not isinstance(owner.node, ast.While) and has_name(owner.node.target, name):
                return [(None, owner)]
            if any(_binds(s, name) and not self._guards(s) for suite in owner.suites for s in suite.stmts):
                return []  # the next iteration may find another
        return []

    def _last(self, stmt: Stmt, name: str) -> list[tuple[ast.expr | None, Stmt]] | None:
        """The values that a statement may leave in a name that it binds: None where it leaves it as it was, empty where
        it is not known."""
        node = stmt.node
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            return _assigned(node.targets[0], node.value, name, stmt)
        if isinstance(node, (ast.With, ast.AsyncWith)) and not any(has_name(i, name) for i in node.items):
            return self._through(stmt.suites[0].stmts, name)
        if not isinstance(node, ast.If):
            return []
        if self._guards(stmt):
            other = [s for s in stmt.suites if (s.arm == "body") != self._positive(stmt)]
            return self._through(other[0].stmts, name) if other else None
        arms = [self._through(suite.stmts, name) for suite in stmt.suites]
        if len(arms) < 2 or not all(arms):
            return []
        return [value for arm in arms for value in arm or ()]

    def _through(self, stmts: list[Stmt], name: str) -> list[tuple[ast.expr | None, Stmt]] | None:
        for stmt in reversed(stmts):
            if _binds(stmt, name):
                found = self._last(stmt, name)
                if found is not None:
                    return found
        return None

    def _guards(self, stmt: Stmt) -> bool:
        """Whether an `if` tests the same flag: one of its arms does not run if the flag is off."""
        if not isinstance(stmt.node, ast.If):
            return False
        read = self.context.get(Devices).tests.read(stmt.node.test, stmt.scope)
        return read is not None and read.key == self.test.key and read.roots == self.test.roots

    def _positive(self, stmt: Stmt) -> bool:
        """Whether the first arm of an `if` with the flag runs if it is on."""
        assert isinstance(stmt.node, ast.If)
        read = self.context.get(Devices).tests.read(stmt.node.test, stmt.scope)
        assert read is not None
        return (read.negated == self.test.negated) == self.positive


def _assigned(target: ast.expr, value: ast.expr, name: str, stmt: Stmt) -> list[tuple[ast.expr | None, Stmt]]:
    """The values that an assignment can give to a name: an item of its value if it unpacks that."""
    if isinstance(target, ast.Name):
        return [(value, stmt)]
    if not isinstance(target, (ast.Tuple, ast.List)):
        return []
    if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
        pairs = zip(target.elts, value.elts, strict=True)
        return [found for t, v in pairs if has_name(t, name) for found in _assigned(t, v, name, stmt)]
    return [(value, stmt)]


def _binds(stmt: Stmt, name: str) -> bool:
    """Whether a statement, or one in it, binds a name or deletes it."""
    return any(
        isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Load)
        for part in ast.walk(stmt.node)
    )
