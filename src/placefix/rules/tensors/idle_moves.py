"""Moves of a tensor to the device on which a fix creates it: ``rest.to(x.device)`` below ``rest = zeros(3, device=x.device)``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace, Span
from placefix.facts.program.assignments import assigned_name
from placefix.facts.program.ast_names import is_name
from placefix.facts.program.tree import dominates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Stmt


def idle_moves(context: AnalysisContext, created: Stmt, device: str) -> Iterator[Replace]:
    """The edits that remove the moves to `device` of the tensor that `created` is to make there, if no other statement binds its name, and
    `device` means the same at the move. A move that is a whole statement stays."""
    name, scope = assigned_name(created.node), created.scope
    if not name or len(scope.bindings.get(name, ())) != 1 or context.index.binding(scope, name) != [created]:
        return
    for move, stmt in context.index.called("to"):
        func = move.func
        if (
            stmt.scope is scope
            and isinstance(func, ast.Attribute)
            and is_name(func.value, name)
            and len(move.args) == 1
            and not move.keywords
            and not (isinstance(stmt.node, ast.Expr) and stmt.node.value is move)
            and context.text(move.args[0]) == device
            and dominates(created, stmt)
            and not context.index.may_change(device, created, stmt)
        ):
            behind = Span(context.span(func.value).end, context.span(move).end)
            text = context.source.segment(behind)
            if text.startswith(".") and "\n" not in text:
                yield Replace(behind, "", text)
