"""The lambdas and comprehensions around the expressions of a statement, and the names that they bind."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from placefix.facts.program.ast_walk import children, header, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

_Around = tuple[ast.expr, bool]
_BINDERS = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Enclosing:
    """Answers for the statements of one file; each is walked once."""

    def __init__(self) -> None:
        self._innermost: dict[ast.stmt, dict[ast.AST, _Around]] = {}

    def around(self, expr: ast.expr, stmt: ast.stmt) -> Iterator[tuple[ast.expr, bool]]:
        """The lambdas and comprehensions in the header of `stmt` that hold `expr`, the innermost first, each with whether
        its names are bound there: not in the defaults of a lambda. `expr` itself comes first if it is one."""
        innermost = self._innermost.get(stmt)
        if innermost is None:
            innermost = self._innermost[stmt] = _innermost(stmt)
        if isinstance(expr, _BINDERS):
            yield expr, not isinstance(expr, ast.Lambda)
        held = innermost.get(expr)
        while held is not None:
            yield held
            held = innermost.get(held[0])


def _innermost(stmt: ast.stmt) -> dict[ast.AST, _Around]:
    """The innermost lambda or comprehension of a statement's header around each node that is in one."""
    found: dict[ast.AST, _Around] = {}
    todo: list[tuple[ast.AST, _Around | None]] = [(top, None) for top in header(stmt)]
    while todo:
        node, held = todo.pop()
        if held is not None:
            found[node] = held
        if isinstance(node, ast.Lambda):
            todo += ((node.args, (node, False)), (node.body, (node, True)))
        else:
            inner = (node, True) if isinstance(node, _BINDERS) else held
            todo += ((child, inner) for child in children(node))
    return found


@lru_cache(maxsize=4096)
def inner_scopes(stmt: ast.stmt) -> list[tuple[ast.expr, list[ast.AST]]]:
    """The lambdas and comprehensions in the header of a statement, each with the nodes that are evaluated in its scope: not
    the defaults of a lambda, nor the iterable of the first loop of a comprehension."""
    found: list[tuple[ast.expr, list[ast.AST]]] = []
    for node in (part for top in header(stmt) for part in walk(top)):
        if isinstance(node, ast.Lambda):
            found.append((node, walk(node.body)))
        elif isinstance(node, _BINDERS):
            outside = {id(part) for part in walk(node.generators[0].iter)}  # type: ignore[union-attr]
            found.append((node, [part for part in walk(node) if id(part) not in outside]))
    return found


def bound_by(binder: ast.expr) -> set[str]:
    """The names that a lambda or comprehension binds."""
    if isinstance(binder, ast.Lambda):
        return {a.arg for a in walk(binder.args) if isinstance(a, ast.arg)}
    targets = [generator.target for generator in getattr(binder, "generators", ())]
    return {n.id for target in targets for n in walk(target) if isinstance(n, ast.Name)}
