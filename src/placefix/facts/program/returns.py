"""Whether a function returns a value on every way."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.program.ast_names import dotted, is_literal

if TYPE_CHECKING:
    from placefix.facts.program.tree import Scope

# Context managers that swallow no exception.
_LETS_THROUGH = ("open", "no_grad", "inference_mode", "enable_grad", "autocast", "device")


def gives_something(function: Scope) -> bool:
    """Whether a function returns a value on every way, never the None of a way that ends without."""
    given = [node.value for node in function.tree.returns.get(function, ())]
    nothing = any(v is None or is_literal(v, None) for v in given)
    return not nothing and _always_returns(function.function.body)


def _always_returns(suite: list[ast.stmt]) -> bool:
    """Whether a suite is left by a ``return`` or an exception on every way."""
    last = suite[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and _always_returns(last.body) and _always_returns(last.orelse)
    if isinstance(last, ast.Try):
        handled = all(_always_returns(handler.body) for handler in last.handlers)
        return _always_returns(last.finalbody or last.orelse or last.body) and handled
    if isinstance(last, ast.With):
        around = [dotted(_bare(managed.context_expr)).rpartition(".")[2] for managed in last.items]
        return all(name in _LETS_THROUGH for name in around) and _always_returns(last.body)
    return isinstance(last, (ast.Return, ast.Raise))


def _bare(manager: ast.expr) -> ast.expr:
    """A context manager without its arguments."""
    return manager.func if isinstance(manager, ast.Call) else manager
