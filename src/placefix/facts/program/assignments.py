"""Assignments in syntax trees: their targets, and the values that these get."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.program.ast_names import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


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


def sole_values(bindings: Mapping[str, Sequence[ast.AST]]) -> dict[ast.expr | None, str]:
    """The values of the names that one assignment binds, and nothing else, with the names. bindings: the code that binds each name."""
    found: dict[ast.expr | None, str] = {}
    for name, (node, *others) in bindings.items():
        target = node.target if isinstance(node, ast.AnnAssign) else only_target(node)
        if not others and isinstance(target, ast.Name) and isinstance(node, (ast.Assign, ast.AnnAssign)):
            found[node.value] = name
    return found


def target_pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """The names in ``x, y = a, b``, each with its value; the target and the value where the value is no such tuple."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def leaf_targets(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """The names, attributes and items that an assignment to `target` sets, each with its value; None where it is taken out of another one."""
    if isinstance(target, ast.Starred):
        yield from leaf_targets(target.value, None)
    elif isinstance(target, (ast.Tuple, ast.List)):
        values: Sequence[ast.expr | None] = value.elts if isinstance(value, (ast.Tuple, ast.List)) else ()
        if len(values) != len(target.elts) or any(isinstance(e, ast.Starred) for e in (*target.elts, *values)):
            values = [None] * len(target.elts)
        for element, part in zip(target.elts, values, strict=True):
            yield from leaf_targets(element, part)
    else:
        yield target, value


def literal_names(bindings: Sequence[ast.AST]) -> frozenset[str] | None:
    """The strings in the list that a name is bound to (``__all__ = ["Net"]``), by the code that binds it; None if there may be others."""
    node = bindings[0] if len(bindings) == 1 else None
    listed = node.value if isinstance(node, ast.Assign) else None
    if not isinstance(listed, (ast.List, ast.Tuple)):
        return None
    names = [e.value for e in listed.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
    return frozenset(names) if len(names) == len(listed.elts) else None
