"""The edits of a migration and the obstacles to it, as its parts collect them."""

from __future__ import annotations

import ast
import io
import tokenize
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Delete, Insert, Replace, Span
from placefix.migrate import obstacles
from placefix.text_edits import TextEdit, spliced_segment

if TYPE_CHECKING:
    from placefix.diagnostic import Edit
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Reason


class Obstacle(NamedTuple):
    """A reason against the migration, at an offset of the text."""

    offset: int
    reason: Reason


class Plan:
    """The decisions of the parts of a migration.

    edits: those of whole statements. imports: the lines of new imports. helpers: the names of functions that the new code calls.
    barred: the statements that run in one process only, with the test.
    """

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.edits: list[Edit] = []
        self.imports: dict[str, None] = {}
        self.helpers: dict[str, None] = {}
        self.obstacles: dict[Obstacle, None] = {}
        self._replaces: dict[Span, Replace] = {}
        self._names: set[str] = set()
        self._barred: dict[Span, str] = {}

    def stop(self, node: ast.AST | Stmt | None, reason: Reason) -> None:
        """Note an obstacle at a node; None: about the script as a whole."""
        offset = self.context.span(node).start if node is not None else 0
        self.obstacles[Obstacle(offset, reason)] = None

    def replace(self, node: ast.expr, text: str) -> bool:
        """Replace an expression; False, with an obstacle, if its text cannot be found."""
        span = self.context.span(node)
        old = self.context.source.segment(span)
        if not _is_text_of(old, node):
            self.stop(node, obstacles.UNREADABLE())
            return False
        self._replaces[span] = Replace(span, text, old)
        return True

    def text(self, node: ast.expr) -> str:
        """The text of an expression with the replacements so far."""
        span = self.context.span(node)
        return spliced_segment(self.context.source.text, span, self._splices(span))

    def _splices(self, span: Span) -> list[TextEdit]:
        """The replacements inside a range, without those inside others."""
        found: list[TextEdit] = []
        for inner in sorted(self._replaces, key=lambda one: (one.start, -one.end)):
            if span.start <= inner.start and inner.end <= span.end and (not found or found[-1].end <= inner.start):
                found.append(TextEdit(*inner, self._replaces[inner].text))
        return found

    def fresh(self, name: str) -> str:
        """A name like `name` that nothing in the file binds; the next call gives another one."""
        found, number = name, 1
        while found in self._names or any(found in scope.bindings for scope in self.context.tree.scopes.values()):
            number += 1
            found = f"{name}_{number}"
        self._names.add(found)
        return found

    def bar(self, node: ast.expr, test: str) -> None:
        """Let an expression statement run only where `test` holds."""
        self._barred[self.context.span(node)] = test

    def is_barred(self, stmt: Stmt) -> bool:
        """Whether a statement runs in one process only."""
        return self.context.span(stmt) in self._barred

    def finished(self) -> tuple[Edit, ...]:
        """All edits: replacements inside statements that are barred are part of these."""
        source = self.context.source
        found: list[Edit] = list(self.edits)
        for first, *others in self._runs_of_barred():
            margin = self._margin(first)
            unit = "\t" if margin.startswith("\t") else "  " if len(margin) % 4 == 2 else "    "
            lines = [f"if {self._barred[first]}:"]
            for span in (first, *others):
                lines.append(margin + unit + _indented(spliced_segment(source.text, span, self._splices(span)), unit))
            found.append(Replace(first, source.newline.join(lines), source.segment(first)))
            if others:
                found.append(Delete(tuple(others)))
        for edit in (Replace(Span(*splice[:2]), splice[2], "") for splice in self._splices(Span(0, len(source.text)))):
            if not any(span.start <= edit.span.start and edit.span.end <= span.end for span in self._barred):
                found.append(edit._replace(expect=source.segment(edit.span)))
        return tuple(found)

    def _margin(self, span: Span) -> str:
        """The text in front of a statement on its line."""
        source = self.context.source
        return source.text[source.line_starts[source.line_of(span.start) - 1] : span.start]

    def _runs_of_barred(self) -> list[list[Span]]:
        """The statements that are barred; those on neighbouring lines with one test, and with nothing to insert between, together."""
        source, anchors = self.context.source, {edit.anchor for edit in self.edits if isinstance(edit, Insert)}
        runs: list[list[Span]] = []
        for span, test in sorted(self._barred.items()):
            last = runs[-1][-1] if runs else None
            between = source.text[last.end : span.start] if last is not None else ""
            if (
                last is not None
                and self._barred[last] == test
                and not between.strip()
                and source.line_of(span.start) == source.line_of(last.end) + 1
                and self._margin(span) == self._margin(last)
                and not anchors & {last, span}
            ):
                runs[-1].append(span)
            else:
                runs.append([span])
        return runs


def _indented(text: str, unit: str) -> str:
    """A statement with its lines after the first indented by `unit`, except those that begin in a string."""
    rows: set[int] = set()
    strings: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name.endswith("STRING_START"):
            strings.append(token.start[0])
        elif name == "STRING" or name.endswith("STRING_END"):
            start = strings.pop() if name != "STRING" else token.start[0]
            rows.update(range(start + 1, token.end[0] + 1))
    first, *rest = text.splitlines(keepends=True)
    return first + "".join(
        line if row in rows or not line.strip() else unit + line for row, line in enumerate(rest, start=2)
    )


def _is_text_of(text: str, node: ast.expr) -> bool:
    """Whether a text is that of an expression: until Python 3.12 the positions in f-strings may be wrong."""
    try:
        return ast.dump(ast.parse(f"({text})", mode="eval").body) == ast.dump(node)
    except (SyntaxError, ValueError):
        return False
