"""Arms of statements whose test is a constant, so that they never run: ``if False:``, the `else` of ``if 1:``, ``while 0 > 0:``."""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from placefix.facts.program.tree import Stmt, Suite, Tree

COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def constant_truth(test: ast.expr) -> bool | None:
    """Whether a test that reads nothing is true; None where it reads something, or is of another form."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        truth = constant_truth(test.operand)
        return None if truth is None else not truth
    if isinstance(test, ast.BoolOp):
        ends = isinstance(test.op, ast.Or)
        found = [constant_truth(value) for value in test.values]
        return ends if found[0] is ends else not ends if all(truth is (not ends) for truth in found) else None
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        compare, left, right = COMPARISONS.get(test.ops[0].__class__), test.left, test.comparators[0]
        if compare is not None and isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
            try:
                return compare(left.value, right.value)
            except TypeError:
                return None
    return None


def is_dead_suite(suite: Suite) -> bool:
    """Whether a suite is an arm that its own test never lets run."""
    owner = suite.owner.node if suite.owner is not None else None
    if not isinstance(owner, (ast.If, ast.While)):
        return False
    truth = constant_truth(owner.test)
    if truth is None:
        return False
    return not truth if suite.arm == "body" else truth and isinstance(owner, ast.If)


def dead_suites(tree: Tree) -> Iterator[Suite]:
    """The arms of a file that never run."""
    for stmt in tree.stmts.values():
        if stmt.suites and isinstance(stmt.node, (ast.If, ast.While)):
            yield from filter(is_dead_suite, stmt.suites)


def is_dead(stmt: Stmt) -> bool:
    """Whether a statement is in an arm that never runs, of its scope."""
    return any(is_dead_suite(one.suite) for one in stmt.ancestors())
