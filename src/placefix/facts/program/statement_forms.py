"""Statements of a special form: docstrings, future imports, the main guard, the arms of an ``if``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.program.ast_names import is_name
from placefix.facts.program.tree import common

if TYPE_CHECKING:
    from placefix.facts.program.tree import Scope, Stmt, Tree


def is_docstring(stmt: Stmt) -> bool:
    """Whether a statement is the first of its suite, and a string alone."""
    node = stmt.node
    return (
        stmt.index == 0
        and isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def without_docstrings(tree: Tree) -> str:
    """The text of a file, with blanks in the place of its docstrings."""
    text, parts, end = tree.source.text, [], 0
    for span in sorted(tree.source.span(stmt.node) for stmt in tree.stmts.values() if is_docstring(stmt)):
        parts += [text[end : span.start], " " * (span.end - span.start)]
        end = span.end
    return "".join(parts) + text[end:]


def is_future(stmt: Stmt) -> bool:
    """Whether a statement is ``from __future__ import …``."""
    return isinstance(stmt.node, ast.ImportFrom) and stmt.node.module == "__future__"


def is_main_guard(stmt: Stmt) -> bool:
    """``if __name__ == "__main__":``"""
    test = stmt.node.test if isinstance(stmt.node, ast.If) else None
    return isinstance(test, ast.Compare) and is_name(test.left, "__name__")


def are_exclusive(a: Stmt, b: Stmt) -> bool:
    """Whether two statements are in different arms of one ``if``, so that one call runs only one of them."""
    pair = common(a, b)
    return pair is not None and a is not b and pair[0] is pair[1] and isinstance(pair[0].node, ast.If)


def yields(scope: Scope) -> bool:
    """Whether a function is a generator, or holds one."""
    return "yield" in scope.tree.text(scope) and any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in scope.nodes)


def is_elif(stmt: Stmt) -> bool:
    """Whether a statement is an ``if`` that is written ``elif``."""
    source = stmt.scope.tree.source
    return source.text.startswith("elif", source.span(stmt.node).start)


def is_stub(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function has no code but a docstring, ``pass``, ``...`` or a ``raise`` of `NotImplementedError`."""
    body = [n for n in function.body if not isinstance(n, ast.Pass) and not is_constant_statement(n)]
    raised = body[0].exc if len(body) == 1 and isinstance(body[0], ast.Raise) else None
    raised = raised.func if isinstance(raised, ast.Call) else raised
    return not body or (isinstance(raised, ast.Name) and raised.id == "NotImplementedError")


def is_constant_statement(node: ast.stmt) -> bool:
    """``...``, a docstring or another constant alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
