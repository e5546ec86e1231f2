"""What a function moves as a caller handed it over."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.program.names import dotted, parameters
from placefix.facts.program.tree import common, dominates

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.program.tree import Scope, Stmt


def handed(context: AnalysisContext, site: Site) -> str:
    """The parameter of its function that a site moves, or a part of one, as it was handed over; empty otherwise."""
    node: ast.expr = site.node
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    scope = site.stmt.scope
    text = (
        dotted(site.node.func.value)
        if isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute)
        else ""
    )
    if "." in text:  # self.x = x, and then self.x = self.x.cuda()
        kept = [
            w.value
            for w in context.index.values(scope, text)
            if w.value is not None and dotted(w.value) and w.stmt is not site.stmt
        ]
        node = kept[0] if len(kept) == 1 else node
    if not isinstance(node, ast.Name) or scope.kind != "function" or scope.lookup(node.id) is not scope:
        return ""
    return node.id if _Handed(context, scope).at(node.id, site.stmt, frozenset()) else ""


class _Handed:
    """Which names of a function may hold a parameter as it was handed over, or a part or a view of one."""

    def __init__(self, context: AnalysisContext, scope: Scope) -> None:
        self.context = context
        self.scope = scope
        self.parameters = parameters(scope.function.args).keys() - {"self", "cls"}

    def at(self, name: str, stmt: Stmt, seen: frozenset[str]) -> bool:
        """Whether `name` may hold one at `stmt`: what is bound behind it does not count, nor what always replaces it before."""
        seen |= {name}
        derived = False
        replaced: list[Stmt] = []
        for binder in self.context.index.binding(self.scope, name):
            node = binder.node
            if not isinstance(node, ast.Assign) or not _before(binder, stmt):
                continue
            roots = [root for root in map(self._root, _items(node.value)) if root not in seen]
            if roots and all(root and self.at(root, binder, seen) for root in roots):
                derived = True
            elif roots:
                replaced.append(binder)
        if any(dominates(binder, stmt) for binder in replaced):
            return False
        return name in self.parameters or derived

    def _root(self, node: ast.expr) -> str:
        """The name that a value is a part, a view or a moved copy of, or is computed of."""
        while True:
            if isinstance(node, (ast.Attribute, ast.Subscript)):
                node = node.value
            elif isinstance(node, ast.Call) and node.args and self._computes(node):
                node = _items(node.args[0])[0] if _items(node.args[0]) else node.args[0]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                node = node.func.value
            else:
                return node.id if isinstance(node, ast.Name) else ""

    def _computes(self, call: ast.Call) -> bool:
        """Whether a function of torch's makes its result where its first argument lies."""
        name = self.context.tree.qualname(call.func, self.scope) or ""
        return name == api.VARIABLE or torch_model.computes_tensor(name)


def _before(binder: Stmt, stmt: Stmt) -> bool:
    """Whether a statement may run before another: it stands above it, or in a loop with it."""
    pair = common(binder, stmt)
    if pair is None:
        return True
    loops = {a for a in binder.ancestors() if isinstance(a.node, (ast.For, ast.AsyncFor, ast.While))}
    return binder is not stmt and (pair[0].index < pair[1].index or any(a in loops for a in stmt.ancestors()))


def _items(value: ast.expr) -> list[ast.expr]:
    return value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
