"""Expressions of one statement, found by their position in the text."""

from __future__ import annotations

import ast
from bisect import bisect_left
from typing import TYPE_CHECKING

from placefix.diagnostic import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.source import Source


class ExpressionSpans:
    """The expressions of a simple statement or header, found by their spans. Those inside an f-string are left out: before Python 3.12
    their positions are wrong."""

    def __init__(self, source: Source, nodes: Iterable[ast.AST]) -> None:
        self._at: dict[Span, ast.expr] = {}
        self._above: dict[Span, Span | None] = {}
        self._tied: set[Span] = set()  # of patterns
        stack: list[tuple[ast.AST, Span | None, bool]] = [(node, None, False) for node in nodes]
        while stack:
            node, above, tied = stack.pop()
            tied = tied or isinstance(node, ast.pattern)
            if isinstance(node, ast.expr):
                span = source.span(node)
                if span != above:
                    self._at[span], self._above[span] = node, above
                above = span
                if tied:
                    self._tied.add(span)
            if not isinstance(node, ast.JoinedStr):
                stack.extend((child, above, tied) for child in ast.iter_child_nodes(node))
        self._starts = sorted((span.start, -span.end) for span in self._at)

    def at(self, span: Span) -> ast.expr | None:
        """The expression that is exactly `span`."""
        return self._at.get(span)

    def around(self, span: Span) -> Iterator[tuple[ast.expr, Span]]:
        """The expressions that contain `span`, innermost first, with their spans; none if the innermost is part of a pattern."""
        index = bisect_left(self._starts, (span.start + 1,)) - 1
        found = Span(self._starts[index][0], -self._starts[index][1]) if index >= 0 else None
        while found is not None and found.end < span.end:
            found = self._above[found]
        while found is not None and found not in self._tied:
            yield self._at[found], found
            found = self._above[found]
