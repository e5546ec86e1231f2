"""The nodes under a node, by tables: a fraction of the cost of ast.iter_child_nodes."""

from __future__ import annotations

import ast
from typing import Any

# Fields of each node class that may hold nodes.
_LEAVES = frozenset(
    {
        "ctx",
        "op",
        "ops",
        "id",
        "attr",
        "arg",
        "kind",
        "is_async",
        "conversion",
        "type_comment",
        "name",
        "asname",
        "level",
        "module",
    }
)
_FIELDS_OF: dict[type[ast.AST], frozenset[str]] = {
    ast.keyword: frozenset({"arg"}),
    ast.arg: frozenset({"arg", "type_comment"}),
    ast.Constant: frozenset({"value", "kind"}),
    ast.Global: frozenset({"names"}),
    ast.Nonlocal: frozenset({"names"}),
}
CHILDREN: dict[type[ast.AST], tuple[str, ...]] = {
    cls: tuple(f for f in cls._fields if f not in _FIELDS_OF.get(cls, _LEAVES))
    for cls in vars(ast).values()
    if isinstance(cls, type) and issubclass(cls, ast.AST)
}
# The same of a statement, without its suites.
_HEADERS = {
    cls: tuple(f for f in fields if f not in ("body", "orelse", "finalbody", "handlers", "cases", "names", "simple"))
    for cls, fields in CHILDREN.items()
    if issubclass(cls, ast.stmt)
}


LOOPS = (ast.For, ast.AsyncFor, ast.While)


def children(node: ast.AST) -> list[Any]:
    """The nodes right under an expression, operators and contexts apart, in the order of its fields."""
    found: list[Any] = []
    for field in CHILDREN.get(node.__class__, ()):
        value = getattr(node, field)
        if value.__class__ is list:
            found += value
        elif value is not None:
            found.append(value)
    return found


def walk(node: ast.AST) -> list[Any]:
    """A node and all nodes below it except operators and contexts, in the order of ast.walk."""
    found: list[Any] = [node]
    fields_of = CHILDREN.get
    for part in found:  # it grows on the way
        for field in fields_of(part.__class__, ()):
            value = getattr(part, field)
            if value.__class__ is list:
                found += value
            elif value is not None:
                found.append(value)
    return found


def header(node: ast.stmt) -> list[ast.AST]:
    """The expressions of a statement that are its own: of a compound statement, not its suites'."""
    found: list[ast.AST] = []
    for field in _HEADERS[node.__class__]:
        value = getattr(node, field)
        if value.__class__ is list:
            found += value
        elif value is not None:
            found.append(value)
    if isinstance(node, ast.Try) or node.__class__.__name__ == "TryStar":
        found += [handler.type for handler in node.handlers if handler.type is not None]  # type: ignore[attr-defined]
    elif node.__class__.__name__ == "Match":
        for case in node.cases:  # type: ignore[attr-defined]
            found += [case.pattern] if case.guard is None else [case.pattern, case.guard]
    return found


def parents(top: ast.AST) -> dict[ast.AST, ast.AST]:
    """The parent of each node below one."""
    return {child: node for node in walk(top) for child in children(node) if child is not None}
