"""DataParallel wraps of modules that are placed only where they are not wrapped: ``if n == 1: net.to(d)``, ``if n > 1: net = DataParallel(net)``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.program.ast_names import literal_int
from placefix.facts.program.dead_arms import COMPARISONS
from placefix.facts.program.reads_and_writes import clash, names
from placefix.facts.program.tree import common

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.facts.program.tree import Stmt
    from placefix.rules.ordering.movability import Order


class _Bound(NamedTuple):
    """``x > 1``: the comparison and the constant."""

    holds: Callable[[float, float], bool]
    number: int


def are_apart(order: Order, one: Stmt, other: Stmt) -> bool:
    """Whether no run of their function reaches both statements: they are in two arms, or under tests that exclude each other."""
    if one.scope is not other.scope:
        return False
    pair = common(one, other)
    if pair is None:
        return True
    first, second = sorted(pair, key=lambda stmt: stmt.index)
    if first is second:
        return False
    between = first.suite.stmts[first.index : second.index]
    for a in _conditions(one, pair[0]):
        for b in _conditions(other, pair[1]):
            read = {n for part in (a, b) for n in names(ast.Expr(part))[0]}
            if (
                _exclude(a, b)
                and order.pure(a, first)
                and not any(clash(order.names(s).written, read) for s in between)
            ):
                return True
    return False


def _conditions(stmt: Stmt, top: Stmt) -> list[ast.expr]:
    """The conditions that hold at a statement, by the tests of the `if`s around it up to `top`."""
    found: list[ast.expr] = []
    for inner in (stmt, *stmt.ancestors()):
        if inner is top:
            break
        owner = inner.suite.owner
        if owner is None or not isinstance(owner.node, ast.If):
            continue
        test = owner.node.test
        if inner.suite.arm == "body":
            found += test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
        else:
            parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else [test]
            found += [part.operand if _is_not(part) else ast.UnaryOp(ast.Not(), part) for part in parts]  # type: ignore[attr-defined]
    return found


def _is_not(test: ast.expr) -> bool:
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def _exclude(a: ast.expr, b: ast.expr) -> bool:
    """Whether two tests are never true at once: ``x`` and ``not x``, or comparisons of one thing with numbers."""
    for one, other in ((a, b), (b, a)):
        if isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not) and ast.dump(one.operand) == ast.dump(other):
            return True
    if not (isinstance(a, ast.Compare) and isinstance(b, ast.Compare)) or ast.dump(a.left) != ast.dump(b.left):
        return False
    first, second = _bound(a), _bound(b)
    if first is None or second is None:
        return False
    tried = [number + step for number in (first.number, second.number) for step in (-0.5, 0, 0.5)]
    return not any(first.holds(value, first.number) and second.holds(value, second.number) for value in tried)


def _bound(test: ast.Compare) -> _Bound | None:
    """A comparison with a number."""
    holds = COMPARISONS.get(type(test.ops[0])) if len(test.ops) == 1 else None
    number = literal_int(test.comparators[0])
    return _Bound(holds, number) if holds is not None and number is not None else None
