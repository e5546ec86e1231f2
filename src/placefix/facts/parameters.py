"""Parameters that are moved after they were made: what the move returns is no Parameter."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace, Span
from placefix.lazy import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts import Facts

_PARAMETER = frozenset({"torch.nn.Parameter", "torch.nn.parameter.Parameter"})
_SIMPLE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


class MovedParameter(NamedTuple):
    """``nn.Parameter(x).to(d)``: the whole call, its text, and the edit to ``nn.Parameter(x.to(d))``."""

    span: Span
    text: str
    edit: Replace


def moved_parameters(facts: Facts) -> Iterator[MovedParameter]:
    """Calls that move a Parameter where it is made, to anything but the CPU."""
    for call, stmt in facts.devices.index.calls:
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr not in ("to", "cuda") or not isinstance(func.value, ast.Call):
            continue
        made = func.value
        if facts.tree.qualname(made.func, stmt.scope) not in _PARAMETER or not made.args or isinstance(made.args[0], ast.Starred):
            continue
        if func.attr == "to" and (not call.args or "cpu" in facts.text(call.args[0]) or facts.text(call.args[0]).startswith("torch.float")):
            continue
        span, value, inner = facts.span(call), facts.span(made.args[0]), facts.span(made)
        text, tensor = facts.text(call), facts.text(made.args[0])
        move = facts.source.text[inner.end : span.end]
        tensor = tensor if isinstance(made.args[0], _SIMPLE) else f"({tensor})"
        before, after = facts.source.text[span.start : value.start], facts.source.text[value.end : inner.end]
        yield MovedParameter(span, facts.text(made.func), Replace(span, f"{before}{tensor}{move}{after}", text))
