"""`check --preview`: findings that appear only after the fixes of `apply`."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from placefix import runner
from placefix.diagnostic import Severity, Span
from placefix.discover import Target
from placefix.engine import Changed, FixSelector, Unchanged

if TYPE_CHECKING:
    import ast
    from collections.abc import Sequence

    from placefix.diagnostic import Diagnostic
    from placefix.engine import Outcome
    from placefix.runner import FileResult, Repositories
    from placefix.source import Source

NOTE = "follows: `placefix apply` fixes it after its first fixes"


def add_preview_notes(result: FileResult, repositories: Repositories | None) -> FileResult:
    """The result of checking a file with a note for each finding of a later round, on the line where it would be."""
    if not result.fixable or result.source is None or not isinstance(result.target, Target):
        return result
    rounds = LaterRounds(result.source)
    outcome = runner.fix_bytes(result.target, result.before_after()[0], repositories, rounds).outcome
    source = result.source
    known = {(d.code, source.line_of(d.span.start)) for d in result.fixable}
    notes = {(d.code, row): _note(source, d, row) for d, row in rounds.applied(outcome) if (d.code, row) not in known}
    if not notes:
        return result
    return result._replace(outcome=Unchanged(tuple(sorted((*result.remaining, *notes.values()), key=lambda d: d.span))))


def _note(source: Source, found: Diagnostic, row: int) -> Diagnostic:
    line = source.line(row)
    text = line.strip()
    start = source.line_starts[row - 1] + (line.index(text) if text else 0)
    span = Span(start, start + len(text))
    return found._replace(span=span, severity=Severity.NOTE, fix=None, note=NOTE, met=(), shares=())


class LaterRounds(FixSelector):
    """Takes every fix, and remembers those of the second round and later ones, with the line of the file that they go back to."""

    def __init__(self, source: Source) -> None:
        self.later: list[tuple[Diagnostic, int]] = []
        self._lines = _lines(source)
        self._asked = False

    def accept_syntax_fixes(self, source: Source, found: Sequence[Diagnostic]) -> bool:
        """Take the repairs of the syntax, as the first round."""
        self._asked = True
        return True

    def select_fixes(self, source: Source, tree: ast.Module, found: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
        """Take all fixes, and note those of every round but the first."""
        if self._asked:
            blocks = SequenceMatcher(None, self._lines, _lines(source), autojunk=False).get_opcodes()
            self.later += ((d, self._row(blocks, source.line_of(d.span.start) - 1)) for d in found)
        self._asked = True
        return found

    def applied(self, outcome: Outcome) -> list[tuple[Diagnostic, int]]:
        """The fixes of later rounds that were written: the layout may have refused some."""
        fixes = [d.fix for d in outcome.applied] if isinstance(outcome, Changed) else []
        return [(d, row) for d, row in self.later if d.fix in fixes]

    def _row(self, blocks: Sequence[tuple[str, int, int, int, int]], line: int) -> int:
        """The 1-based line of the file that a 0-based line of a later text comes from, or is next to."""
        _, start, end, new, _ = next(b for b in blocks if b[3] <= line < b[4])
        return min(start + line - new, max(end - 1, start), len(self._lines) - 1) + 1


def _lines(source: Source) -> list[str]:
    return [source.line(row) for row in range(1, len(source.line_starts) + 1)]
