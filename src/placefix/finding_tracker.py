"""The findings of the first round, followed through the fixes of a run: they limit the fixes of later rounds."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Applicability, Move, Span
from placefix.text_edits import RangeIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from placefix.diagnostic import Diagnostic, Fix
    from placefix.source import Source
    from placefix.text_edits import TextEdit


class _TrackedFinding(NamedTuple):
    """A finding of the first round, where it is now, and whether its fix was to be applied."""

    place: Span
    finding: Diagnostic
    applicable: bool


class FindingTracker:
    """The findings of the first round of a run, followed through the fixes of the later ones."""

    def __init__(self, source: Source, found: Iterable[Diagnostic], applicable: Iterable[Diagnostic]) -> None:
        """found: all of the first round; applicable: those of them whose fixes may be applied."""
        applicable_ids = {id(d) for d in applicable}
        self._source = source
        self._reordered = False  # whether a fix has moved statements
        self._tracked = [_TrackedFinding(d.span, d, id(d) in applicable_ids) for d in found]
        self._fixed: set[int] = set()  # the numbers of those that are fixed

    def follow(self, edits: Sequence[TextEdit], fixes: Iterable[Fix] = ()) -> None:
        """Map the tracked places through sorted edits that do not overlap. `fixes`: the fixes that the edits are from."""
        self._reordered = self._reordered or any(isinstance(edit, Move) for fix in fixes for edit in fix.edits)
        starts = [edit.start for edit in edits]
        shifts = [0]
        for start, end, content in edits:
            shifts.append(shifts[-1] + len(content) - (end - start))
        lines: dict[str, list[int]] = {}  # written line -> the edits that write it
        for number, edit in enumerate(edits):
            for line in dict.fromkeys(map(str.strip, edit.content.split("\n"))):
                lines.setdefault(line, []).append(number)

        def moved(offset: int, *, last: bool) -> int:
            """An offset after the edits; inside of an edit its start, or its end for `last`."""
            number = bisect_left(starts, offset + (not last))  # the edits that begin before it, or at it
            if number and offset < edits[number - 1].end:
                edit = edits[number - 1]
                return edit.start + shifts[number - 1] + (len(edit.content) if last else 0)
            return offset + shifts[number]

        def followed(verdict: _TrackedFinding) -> _TrackedFinding:
            """The tracked finding in the new text; if its statement moved, at the place that the statement moved to."""
            start, end = moved(verdict.place.start, last=False), moved(verdict.place.end, last=True)
            if end <= start:  # it was taken from there: a statement that moves
                text = _text_of_rows(self._source, verdict.finding.span).strip()
                for number in lines.get(text.partition("\n")[0].strip(), ()):
                    inside = edits[number].content.find(text)
                    if text and inside >= 0:
                        at = edits[number].start + shifts[number] + inside
                        return verdict._replace(place=Span(at, at + len(text)))
            return verdict._replace(place=Span(start, max(start, end)))

        self._tracked = [followed(verdict) for verdict in self._tracked]

    def known(self, fixed: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Those of the `fixed` findings, in the present text, that the first round found as well; each of its findings is fixed once."""
        places = self._places()
        known: list[Diagnostic] = []
        for finding in fixed:
            numbers = [number for number in self._numbers(finding, places) if number not in self._fixed]
            if numbers:
                self._fixed.add(numbers[0])
                known.append(finding)
        return known

    def _places(self) -> dict[str, RangeIndex[int]]:
        """The numbers of the tracked findings by their places, for each rule."""
        places: dict[str, RangeIndex[int]] = {}
        for number, tracked in enumerate(self._tracked):
            places.setdefault(tracked.finding.code, RangeIndex()).add(*tracked.place, number)
        return places

    def _at_place(self, finding: Diagnostic, places: dict[str, RangeIndex[int]]) -> list[_TrackedFinding]:
        """The tracked findings of a finding's rule at its place."""
        return [self._tracked[number] for number in self._numbers(finding, places)]

    def _numbers(self, finding: Diagnostic, places: dict[str, RangeIndex[int]]) -> list[int]:
        """Their numbers, those at the very place of the finding first."""
        numbers = sorted(places[finding.code].near(*finding.span)) if finding.code in places else []
        at_place = [number for number in numbers if _overlaps(self._tracked[number].place, finding.span)]
        return sorted(at_place, key=lambda number: self._tracked[number].place != finding.span)

    def limit_promises(self, source: Source, found: Sequence[Diagnostic]) -> list[Diagnostic]:
        """The findings of a later round, each with an applicability no better than its place had in the first round: a fix that was
        unsafe or refused there is not made safe, and a new finding keeps its fix only if no such finding was on its lines. Exception: a fix
        that only reorders statements, refused because of an order that has been repaired since (PF102 before PF203), is applied."""
        places = self._places()
        rows: RangeIndex[int] = RangeIndex()  # of those that were not to be fixed
        for number, tracked in enumerate(self._tracked):
            if not tracked.applicable:
                rows.add(*_rows(source, tracked.place), number)

        def near(finding: Diagnostic) -> list[_TrackedFinding]:
            """The first round's findings at the same place; else those on the same lines that had no applicable fix."""
            same = self._at_place(finding, places)
            return same or [self._tracked[number] for number in sorted(rows.near(*_rows(source, finding.span)))]

        return [self._limit_promise(d, near(d)) if d.fix is not None else d for d in found]

    def _limit_promise(self, finding: Diagnostic, held: list[_TrackedFinding]) -> Diagnostic:
        if not held or any(v.applicable for v in held):
            return finding
        first, fix = held[0].finding, finding.fix
        only_order = fix is not None and all(isinstance(edit, Move) for edit in fix.edits)
        if only_order and self._reordered and all(v.finding.fix is None for v in held):
            return finding
        if fix is None or first.fix is None:
            reason = first.note.partition(": ")[2] or first.note
            return finding._replace(fix=None, note=f"not fixed in this run: {reason}")
        if fix.applicability is Applicability.SAFE:
            fix = first.fix._replace(edits=fix.edits, message=fix.message)
        return finding._replace(fix=fix)


def _overlaps(a: Span, b: Span) -> bool:
    return a == b or a.overlaps(b)


def _rows(source: Source, span: Span) -> tuple[int, int]:
    """The first and the last line of a range (1-based)."""
    return source.line_of(span.start), source.line_of(max(span.start, span.end - 1))


def _text_of_rows(source: Source, span: Span) -> str:
    first, last = _rows(source, span)
    return source.text[source.line_starts[first - 1] : source.line_starts[last - 1] + len(source.line(last))]
