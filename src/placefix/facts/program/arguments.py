"""Parameters of functions: the object of a method, and the expressions that are an argument, or an item of one or of a loader."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.naming import mentions_host_loader
from placefix.facts.program.ast_names import called_name, dotted, has_name, is_name, parameters
from placefix.facts.program.enclosing_scopes import inner_scopes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.expression_index import Index
    from placefix.facts.program.tree import Scope, Stmt

_DEPTH = 6  # names between the expression and the argument
_ITEMS = frozenset(("items", "values", "enumerate", "zip", "list", "tuple", "reversed"))


def receiver_name(scope: Scope | None) -> str:
    """The first parameter of a method: the object, or the class of a class method. "" for other functions, static methods among them."""
    if scope is None or not scope.is_function or scope.cls is None:
        return ""
    arguments = scope.function.args
    first = next((a.arg for a in (*arguments.posonlyargs, *arguments.args)), "")
    return first if "staticmethod" not in map(dotted, scope.function.decorator_list) else ""


def self_name(scope: Scope | None) -> str:
    """The name of the object in its method; "" for other functions, class methods among them."""
    of_class = scope is not None and scope.is_function and "classmethod" in map(dotted, scope.function.decorator_list)
    return "" if of_class else receiver_name(scope)


def self_class(owner: Scope | None, name: str) -> Scope | None:
    """The class that `name` is, or is an instance of, if it is the first parameter of a method; else None."""
    return owner.cls if owner is not None and name and receiver_name(owner) == name else None


def read_on_self(method: Scope) -> Iterator[str]:
    """The names of the attributes that a method reads of its instance: a method among them is called, there or by whoever gets it."""
    return (node.attr for node in _on_self(method) if isinstance(node.ctx, ast.Load))


def set_on_self(method: Scope) -> Iterator[str]:
    """The names of the attributes of its instance that a method sets."""
    return (node.attr for node in _on_self(method) if isinstance(node.ctx, ast.Store))


def _on_self(method: Scope) -> Iterator[ast.Attribute]:
    me = receiver_name(method)
    return (node for node in method.nodes if isinstance(node, ast.Attribute) and is_name(node.value, me))


def is_of_argument(expr: ast.expr, stmt: Stmt, index: Index, depth: int = _DEPTH) -> bool:
    """Whether an expression in `stmt` is an argument other than the object of a method, an item of one, or the variable of a loop over
    one or over a loader: ``batch``, ``batch["x"]``, ``t`` in ``for t in batch.values()``."""
    while isinstance(expr, ast.Subscript):
        expr = expr.value
    if isinstance(expr, ast.Call) and called_name(expr) in _ITEMS:
        parts = expr.args or ([expr.func.value] if isinstance(expr.func, ast.Attribute) else [])
        return bool(parts) and all(is_of_argument(part, stmt, index, depth) for part in parts)
    scope = stmt.scope
    if not isinstance(expr, ast.Name) or not depth or not scope.is_function:
        return False
    for binder, _ in inner_scopes(stmt.node):
        for generator in getattr(binder, "generators", ()):
            if has_name(generator.target, expr.id):
                return is_of_argument(generator.iter, stmt, index, depth - 1)
    bound = [stmt for stmt in index.binding(scope, expr.id) if not _moves_itself(stmt.node, expr.id)]
    if not bound:
        return expr.id in parameters(scope.function.args) and expr.id != receiver_name(scope)
    return all(_is_bound_to_argument(binding, expr.id, index, depth) for binding in bound)


def _is_bound_to_argument(stmt: Stmt, name: str, index: Index, depth: int) -> bool:
    node = stmt.node
    if isinstance(node, ast.For) and has_name(node.target, name):
        return mentions_host_loader(ast.unparse(node.iter)) or is_of_argument(node.iter, stmt, index, depth - 1)
    plain = isinstance(node, ast.Assign) and len(node.targets) == 1
    return plain and is_of_argument(_unmoved(node.value), stmt, index, depth - 1)  # type: ignore[attr-defined]


def _moves_itself(node: ast.stmt, name: str) -> bool:
    """``x = x.cuda()``, ``batch = {k: v.cuda() for k, v in batch.items()}``"""
    value = _unmoved(node.value) if isinstance(node, ast.Assign) else None
    if isinstance(value, ast.Call) and called_name(value) in _ITEMS and len(value.args) == 1:
        value = value.args[0]
    if isinstance(value, (ast.DictComp, ast.ListComp, ast.GeneratorExp)):
        value = value.generators[0].iter
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and called_name(value) in _ITEMS:
            value = value.func.value
    return is_name(value, name)


def _unmoved(value: ast.expr) -> ast.expr:
    """``x`` of ``x.cuda()``"""
    moves = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in api.PLACING
    return value.func.value if moves else value  # type: ignore[attr-defined]
