"""The tensors that a class's `forward` makes on the CPU and returns there, although it computes nothing with them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts.interpret.class_summaries import decorated
from placefix.facts.program.ast_names import may_give
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope

# Attributes of a tensor that are independent of its device.
_SHAPE = frozenset(("shape", "size", "dim", "ndim", "numel", "dtype"))
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Yield, ast.YieldFrom)


def host_results(info: ClassInfo) -> tuple[ast.Call | None, ...]:
    """For each item of the tuple that `forward` returns, or for its only result, the call of a factory that makes it on the CPU; None
    for all others. Empty if the returned tuples differ or nothing is known."""
    if info.host_results is None:
        forward = info.methods.get("forward")
        info.host_results = () if forward is None or decorated(forward) else _host_results(forward)
    return info.host_results


def returns_tuple(info: ClassInfo) -> bool:
    """Whether the first `return` of `forward` has a tuple display."""
    node = next((n for n in walk(info.methods["forward"].function) if isinstance(n, ast.Return)), None)
    return node is not None and isinstance(node.value, ast.Tuple)


def _host_results(forward: Scope) -> tuple[ast.Call | None, ...]:
    nodes = [node for node in forward.nodes if node is not forward.function]
    rows = _returned(nodes)
    read_apart = {id(item) for row in rows for item in row} | {id(base) for base in _bases(nodes)}
    results = []
    for items in zip(*rows):
        names = {item.id if isinstance(item, ast.Name) else "" for item in items}
        name = names.pop() if len(names) == 1 else ""
        reads = (node for node in nodes if isinstance(node, ast.Name) and node.id == name)
        plain = all(not isinstance(node.ctx, ast.Load) or id(node) in read_apart for node in reads)
        made = [_creation(item, forward) for item in items if isinstance(item, ast.Call)]
        direct = made[0] if len(made) == len(items) and all(made) else None  # `return x, torch.zeros(3)`
        results.append(_creation_of(name, forward) if name and plain else direct)
    return tuple(results) if any(results) else ()


def _returned(nodes: list[ast.AST]) -> list[list[ast.expr | None]]:
    """The items of each returned tuple, or the only result; no rows if they differ in length, or if functions inside may return others."""
    returned = [node.value for node in nodes if isinstance(node, ast.Return)]
    if any(isinstance(node, _INNER) for node in nodes):
        return []
    rows: list[list[ast.expr | None]] = [[*v.elts] if isinstance(v, ast.Tuple) else [v] for v in returned]
    forms = {(isinstance(value, ast.Tuple), len(row)) for value, row in zip(returned, rows)}
    return rows if len(forms) == 1 else []


def _bases(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """The tensors whose items are written, and those whose shapes are read."""
    for node in nodes:
        if (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)) or (
            isinstance(node, ast.Attribute) and node.attr in _SHAPE
        ):
            yield node.value


def _creation_of(name: str, forward: Scope) -> ast.Call | None:
    """The call of a factory that makes the only value of a name on the CPU; None if there is none."""
    bound = forward.bindings.get(name, ())
    return _creation(bound[0].value, forward) if len(bound) == 1 and isinstance(bound[0], ast.Assign) else None


def _creation(made: ast.expr, forward: Scope) -> ast.Call | None:
    """The call of a factory that makes the value of an expression on the CPU; None if there is none."""
    while isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and _keeps_device(made):
        made = made.func.value
    if not isinstance(made, ast.Call) or may_give(made, "device", "out"):
        return None
    factory = forward.tree.qualname(made.func, forward) or ""
    operator = torch_model.function(factory)
    if operator is None or not torch_model.is_factory(factory) or operator.device != "argument":
        return None
    sized = operator.rank == "sizes" and any(
        not isinstance(size, (ast.Tuple, ast.List)) or size.elts for size in made.args
    )
    return made if sized or operator.rank.isdigit() else None  # one of no dimension may be on the CPU


def _keeps_device(call: ast.Call) -> bool:
    """Whether a method gives a tensor on the device of its receiver: `torch.zeros(n).long()`."""
    operator = torch_model.method(call.func.attr) if isinstance(call.func, ast.Attribute) else None
    if operator is None or not operator.follows or not operator.gives_tensor or call.keywords:
        return False
    return all(isinstance(argument, ast.Constant) for argument in call.args)
