"""The lambdas and comprehensions around the expressions of a statement, and the names that they bind."""

from __future__ import annotations

import ast
from functools import lru_cache

from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import header, walk

_BINDERS = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@lru_cache(maxsize=4096)
def inner_scopes(stmt: ast.stmt) -> list[tuple[ast.expr, frozenset[ast.AST]]]:
    """The lambdas and comprehensions in the header of a statement, each with the nodes that are evaluated in its scope: not
    the defaults of a lambda, nor the iterable of the first loop of a comprehension."""
    found: list[tuple[ast.expr, frozenset[ast.AST]]] = []
    for node in (part for top in header(stmt) for part in walk(top)):
        if isinstance(node, ast.Lambda):
            found.append((node, frozenset(walk(node.body))))
        elif isinstance(node, _BINDERS):
            outside = walk(node.generators[0].iter)  # type: ignore[union-attr]
            found.append((node, frozenset(walk(node)).difference(outside)))
    return found


def binders_of(name: ast.expr, stmt: ast.stmt) -> list[ast.expr]:
    """The lambdas and comprehensions in the header of a statement that bind the name which an expression in it begins with."""
    root = dotted(name).partition(".")[0]
    return [binder for binder, nodes in inner_scopes(stmt) if name in nodes and root in bound_by(binder)]


def bound_by(binder: ast.expr) -> set[str]:
    """The names that a lambda or comprehension binds."""
    if isinstance(binder, ast.Lambda):
        return {a.arg for a in walk(binder.args) if isinstance(a, ast.arg)}
    targets = [generator.target for generator in getattr(binder, "generators", ())]
    return {n.id for target in targets for n in walk(target) if isinstance(n, ast.Name)}
