"""Assignments in syntax trees: their targets, and the values that these get."""

from __future__ import annotations

import ast

from placefix.facts.program.ast_names import dotted


def only_target(node: ast.AST) -> ast.expr | None:
    """The target of an assignment that has one; None for other code."""
    return node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None


def assigned_text(node: ast.AST) -> str:
    """The one name or chain of names that a statement assigns; "" for other code."""
    target = only_target(node)
    return dotted(target) if target is not None else ""


def assigned_name(node: ast.AST) -> str:
    """The one name that a statement assigns; "" for other code."""
    target = only_target(node)
    return target.id if isinstance(target, ast.Name) else ""


def target_pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """The names in ``x, y = a, b``, each with its value; the target and the value where the value is no such tuple."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]
