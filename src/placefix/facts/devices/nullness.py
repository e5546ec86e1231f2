"""Whether a name may be None at a statement: the function around it tests for None, or a function that returned it may end without a value."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.program.ast_names import dotted, is_literal
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.returns import gives_something
from placefix.facts.program.tree import dominates

if TYPE_CHECKING:
    from placefix.facts.program.tree import Stmt


def may_be_none(expr: ast.expr, stmt: Stmt) -> bool:
    """Whether `expr`, a chain of names, may be None at `stmt`: its function tests whether it is, or got it from a
    function of the file that returns nothing on some path; nothing around `stmt` excludes it, nor anything before
    that always runs."""
    text = dotted(expr)
    scope, tree = stmt.scope, stmt.scope.tree
    if not text or not scope.is_function:
        return False
    given = isinstance(expr, ast.Name) and _given_none(expr.id, stmt)
    if (not given and "None" not in tree.text(scope)) or _asks(stmt.node, text):
        return False
    if any(_excludes(owner.node, text, child.suite is owner.suites[0]) for owner, child in _around(stmt)):
        return False
    mine = [s for s in tree.stmts.values() if s.scope is scope]
    if any(dominates(s, stmt) and _settles(s, text) for s in mine):
        return False
    return given or any(_asks(_head(s), text) for s in mine)


def _asks(code: ast.AST | None, text: str) -> bool:
    """Whether code contains ``text is None`` or ``text is not None``."""
    return code is not None and any(
        isinstance(part, ast.Compare) and is_none_test(part, text) is not None for part in walk(code)
    )


def _given_none(name: str, stmt: Stmt) -> bool:
    """Whether a function of the file that a name of this function is bound to a call of may return nothing."""
    for node in stmt.scope.bindings.get(name, ()):
        call = node.value if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            owner = stmt.scope.lookup(call.func.id)
            function = owner.functions.get(call.func.id) if owner is not None else None
            if function is not None and owner is not None and len(owner.bindings[call.func.id]) == 1:
                if "yield" not in function.tree.text(function) and not gives_something(function):
                    return True
    return False


def _around(stmt: Stmt) -> list[tuple[Stmt, Stmt]]:
    """Each ``if`` around a statement, with the statement of its suite that leads there."""
    found = []
    child = stmt
    for owner in stmt.ancestors():
        if owner is not stmt and isinstance(owner.node, ast.If):
            found.append((owner, child))
        child = owner
    return found


def _head(stmt: Stmt) -> ast.expr | None:
    """The test of a statement, or the value that it assigns or returns."""
    inner = getattr(stmt.node, "test", None) or getattr(stmt.node, "value", None)
    return inner if isinstance(inner, ast.expr) else None


def _excludes(node: ast.stmt, text: str, then: bool) -> bool:
    """Whether an arm of an ``if`` runs only where `text` is not None."""
    assert isinstance(node, ast.If)
    parts = node.test.values if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And) else [node.test]
    if then:
        return any(is_none_test(part, text) is False or dotted(part) == text for part in parts)
    return len(parts) == 1 and is_none_test(parts[0], text) is True


def _settles(stmt: Stmt, text: str) -> bool:
    """Whether a test for None leaves another value than None behind: the statement rebinds the name, or leaves the path."""
    node = stmt.node
    if isinstance(node, ast.Assert):
        return is_none_test(node.test, text) is False
    if isinstance(node, ast.Assign):
        return _asks(node.value, text) and any(dotted(target) == text for target in node.targets)
    if not isinstance(node, ast.If) or not (is_none_test(node.test, text) or _is_false(node.test, text)):
        return False
    last = node.body[-1]
    bound = any(isinstance(s, ast.Assign) and any(dotted(t) == text for t in s.targets) for s in node.body)
    return bound or isinstance(last, (ast.Return, ast.Raise, ast.Continue, ast.Break))


def _is_false(test: ast.expr, text: str) -> bool:
    """``not x``"""
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and dotted(test.operand) == text


def is_none_test(test: ast.expr, text: str) -> bool | None:
    """True for ``x is None``, False for ``x is not None``, None for anything else."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or dotted(test.left) != text:
        return None
    other = test.comparators[0]
    if not is_literal(other, None):
        return None
    return True if isinstance(test.ops[0], ast.Is) else False if isinstance(test.ops[0], ast.IsNot) else None
