"""Parameters that are moved after they were made: what the move returns is no Parameter."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace, Span
from placefix.facts import torch_api as api
from placefix.facts.program.names import dotted
from placefix.lazy import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts import Facts
    from placefix.facts.program.tree import Scope, Stmt

_PARAMETER = frozenset({"torch.nn.Parameter", "torch.nn.parameter.Parameter"})
_SIMPLE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


class MovedParameter(NamedTuple):
    """``nn.Parameter(x).to(d)``: the whole call, its text, and the edit to ``nn.Parameter(x.to(d))``."""

    span: Span
    text: str
    edit: Replace


def moved_parameters(facts: Facts) -> Iterator[MovedParameter]:
    """Calls that move a Parameter where it is made, to anything but the CPU."""
    for call, stmt in facts.devices.index.called("to", "cuda"):
        func = call.func
        if not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Call):
            continue
        made = func.value
        if (
            facts.tree.qualname(made.func, stmt.scope) not in _PARAMETER
            or not made.args
            or isinstance(made.args[0], ast.Starred)
        ):
            continue
        if func.attr == "to" and (
            not call.args or "cpu" in facts.text(call.args[0]) or facts.text(call.args[0]).startswith("torch.float")
        ):
            continue
        if _stays(call, made) or (_is_constant(made) and not _in_module(facts, stmt)):
            continue
        span, value, inner = facts.span(call), facts.span(made.args[0]), facts.span(made)
        text, tensor = facts.text(call), facts.text(made.args[0])
        move = facts.source.text[inner.end : span.end]
        tensor = tensor if isinstance(made.args[0], _SIMPLE) else f"({tensor})"
        before, after = facts.source.text[span.start : value.start], facts.source.text[value.end : inner.end]
        yield MovedParameter(span, facts.text(made.func), Replace(span, f"{before}{tensor}{move}{after}", text))


def _stays(move: ast.Call, made: ast.Call) -> bool:
    """Whether the move goes where the tensor lies: ``Parameter(p.data.float()).to(p.device)``."""
    to = move.args[0] if move.args else None
    if not isinstance(to, ast.Attribute) or to.attr != "device" or not dotted(to.value):
        return False
    value = made.args[0]
    while dotted(value) != dotted(to.value):
        if isinstance(value, ast.Call):
            value = value.func
            if not isinstance(value, ast.Attribute) or value.attr not in api.TENSOR_SAME_DEVICE:
                return False
        if not isinstance(value, (ast.Attribute, ast.Subscript)):
            return False
        value = value.value
    return True


def _is_constant(made: ast.Call) -> bool:
    """Whether the Parameter is one that is not trained, by a literal."""
    return any(
        k.arg == "requires_grad" and isinstance(k.value, ast.Constant) and k.value.value is False for k in made.keywords
    )


def _in_module(facts: Facts, stmt: Stmt) -> bool:
    """Whether a class of modules surrounds the statement, and would register the Parameter."""
    scope: Scope | None = stmt.scope
    while scope is not None and scope.kind != "class":
        scope = scope.parent
    return scope is not None and facts.class_info(scope).is_module
