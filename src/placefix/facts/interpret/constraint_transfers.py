"""Expressions in the must-share domain: the facts about the value of an expression, by its class. `constraint_runs` has the calls."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from placefix.facts.interpret.values import Obj
from placefix.facts.program.ast_names import is_literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.facts.interpret.must_share import MustShare


def _name(run: MustShare, node: ast.Name, value: Obj) -> Obj:
    if value.is_unknown and value.origin is node:
        value.is_given = run.scopes_active[-1].lookup(node.id) is not run.scopes_active[-1]
    if value.holder is not None:
        run.image(value.holder, value)
    return value


def _subscript(run: MustShare, node: ast.Subscript, value: Obj) -> Obj:
    base, index = run.last_value(node.value), run.last_value(node.slice)
    if value.origin is not node:
        if base not in run.bags:
            return value  # a known item
        value = Obj("unknown", node)
    role, key = run.role(base), node.slice
    if role == "tuple":
        return run.computed_of(value, base.items or ())
    if role == "layer" and run.is_layer_of(base, value):
        return value
    if role != "value":
        if isinstance(index.value, int):
            run.shaped(node.value)
        return run.image(base, value)
    if isinstance(index.value, str):
        run.mappings.setdefault(base, {}).setdefault(value, node)
    parts = key.elts if isinstance(key, ast.Tuple) else [key]
    slices = any(isinstance(part, ast.Slice) for part in parts)
    if slices and isinstance(key, ast.Tuple):
        run.tensor(base, dims=True)  # only arrays are sliced in several dimensions
    run.index_by(base, index)
    run.image(base, value)
    if slices or any(is_literal(part, None) for part in parts) or run.has_dims(index) or _is_row(run, base, index):
        run.facts.add(("dims", value))
    elif not index.is_number:
        run.facts.add(("joins", "dims", value, index))  # the result has the dimensions of the index
    return value


def _is_row(run: MustShare, base: Obj, index: Obj) -> bool:
    """Whether a subscript leaves a dimension of a tensor with two or more: its index is no tuple."""
    is_one = index.is_number or run.is_tensor(index) or index in run.arguments_of.values()
    return is_one and ("rows", base) in run.facts.known


def _display(run: MustShare, node: ast.Tuple | ast.List, value: Obj) -> Obj:
    if value.items is None:
        return value
    if not value.items and value.kind == "list":
        run.bags.add(value)
    return run.computed_of(value, value.items)


def _binop(run: MustShare, node: ast.BinOp, value: Obj) -> Obj:
    operands = run.last_value(node.left), run.last_value(node.right)
    if any(run.role(operand) in ("tuple", "bag") for operand in operands):
        return value
    if isinstance(node.op, ast.Mod) and _is_text(node.left):
        return run.number(value)
    product = isinstance(node.op, ast.MatMult)
    run.multiplied(operands if product else ())
    return run.operation(operands, value, dims=not product)


def _is_text(node: ast.expr) -> bool:
    """Whether an expression is a text by its form."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _unaryop(run: MustShare, node: ast.UnaryOp, value: Obj) -> Obj:
    if isinstance(node.op, ast.Not):
        return run.number(value)
    return run.image(run.last_value(node.operand), value, dims=True)


def _compare(run: MustShare, node: ast.Compare, value: Obj) -> Obj:
    if len(node.ops) > 1 or isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
        return run.number(value)
    return run.operation([run.last_value(n) for n in (node.left, *node.comparators)], value)


def _ifexp(run: MustShare, node: ast.IfExp, value: Obj) -> Obj:
    other, after = run.arms.pop()
    then, before = run.arms.pop()
    merged = ((then, other, value),) if value is not then and value is not other else ()
    run.state.domain = before.join(after, merged)
    return value


def _comprehension(run: MustShare, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, value: Obj) -> Obj:
    item = run._now.get(node.elt)
    if value.origin is node and value.items is None and item is not None:
        run.bags.add(value)
        run.computed_of(value, (item,))
        if not any(g.ifs for g in node.generators):
            run.facts.add(("member", value, item))
    return value


# Each gets the run, the expression and the value that the interpreter has for it; the result is its value in this domain.
TRANSFERS: dict[type[ast.AST], Callable[[Any, Any, Obj], Obj]] = {
    ast.Name: _name,
    ast.Subscript: _subscript,
    ast.Tuple: _display,
    ast.List: _display,
    ast.BinOp: _binop,
    ast.UnaryOp: _unaryop,
    ast.Compare: _compare,
    ast.IfExp: _ifexp,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.JoinedStr: lambda run, node, value: run.number(value),
}
