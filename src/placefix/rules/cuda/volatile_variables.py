"""Variables that are made volatile, as torch 0.3 had them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis
from placefix.facts.program.ast_names import is_literal, keyword_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Span
    from placefix.facts.program.tree import Stmt


class VolatileVariables(FileAnalysis):
    """The variables of one file."""

    def made(self) -> Iterator[Span]:
        """Each ``Variable(…, volatile=True)`` where gradients are recorded."""
        for call, stmt in self.context.index.called("Variable"):
            value = keyword_value(call, "volatile")
            on = is_literal(value, True)
            if value is not None and on and not self._records_nothing(stmt):
                if self.context.tree.qualname(call.func, stmt.scope) == api.VARIABLE:
                    yield self.context.span(value)

    def _records_nothing(self, stmt: Stmt) -> bool:
        """Whether a statement is inside ``with torch.no_grad():``."""
        return any(
            isinstance(owner.node, (ast.With, ast.AsyncWith))
            and any("no_grad" in self.context.text(part.context_expr) for part in owner.node.items)
            for owner in stmt.ancestors()
        )
