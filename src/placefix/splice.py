"""Splices of text, and which fixes' splices go together.

A `Plan` is what one fix, or several that go together, does to the text: ranges that change,
gaps between statements that get new lines, and the regions that nothing else may touch.
Nothing here reads Python.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace
from placefix.layout import Gap, Layout, RewriteError, newline_before
from placefix.lazy import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from placefix.diagnostic import Fix, Insert, Span


class TextEdit(NamedTuple):
    """Replace the code points [start, end) of `Source.text` by `content`."""

    start: int
    end: int
    content: str


class Lines(NamedTuple):
    """Whole lines for a gap. `insert` is the edit they come from; None for moved statements,
    which, unlike an Insert, two fixes cannot share."""

    insert: Insert | None
    text: str


def splice(text: str, edits: Iterable[TextEdit]) -> str:
    """Apply sorted edits that do not overlap."""
    parts: list[str] = []
    at = 0
    for start, end, content in edits:
        parts += text[at:start], content
        at = end
    parts.append(text[at:])
    return "".join(parts)


def inside(text: str, span: Span, edits: Iterable[TextEdit]) -> str:
    """The text of `span` after those of the sorted edits that lie inside it."""
    shift = span.start
    own = [TextEdit(a - shift, b - shift, content) for a, b, content in edits if shift <= a and b <= span.end]
    return splice(text[span.start : span.end], own)


def of_tokens(fix: Fix) -> tuple[TextEdit, ...]:
    """The splices of a fix in a text that cannot be parsed: it replaces tokens, and nothing else."""
    return tuple(TextEdit(*edit.span, edit.text) for edit in fix.edits if isinstance(edit, Replace))


class Plan:
    """What fixes that go together do to the text of one file.

    splices: ranges that change. gaps: the lines each gap gets, in order. claims: line regions
    that no other fix may touch or anchor in. anchors: start of the statement beside which
    lines go, with their Insert. leaving: how many statements leave a suite (by identity) and
    of how many, so that two fixes do not empty it together.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.splices: list[TextEdit] = []
        self.gaps: dict[Gap, list[Lines]] = {}
        self.claims: list[Span] = []
        self.anchors: list[tuple[int, Insert | None]] = []
        self.leaving: dict[int, tuple[int, int]] = {}

    def write(self, gap: Gap, lines: Lines) -> None:
        """Put lines into a gap, behind those it has; an Insert only once."""
        items = self.gaps.setdefault(gap, [])
        if lines.insert is None or lines not in items:
            items.append(lines)

    def leave(self, suite: int, count: int, size: int) -> bool:
        """Note that `count` of the `size` statements of a suite go; whether any is left."""
        gone = self.leaving.get(suite, (0, size))[0] + count
        self.leaving[suite] = (gone, size)
        return gone < size

    def add(self, other: Plan) -> None:
        """Take over a plan that does not conflict."""
        self.splices += other.splices
        for gap, items in other.gaps.items():
            for lines in items:
                self.write(gap, lines)
        self.claims += other.claims
        self.anchors += other.anchors
        for suite, (count, size) in other.leaving.items():
            self.leave(suite, count, size)

    def conflicts(self, other: Plan) -> bool:
        """Whether two plans, each in order by itself, must not be written together."""
        shared = self._inserts() & other._inserts()
        return (
            any(_touch(a, b, self.layout.text) for a in self.splices for b in other.splices)
            or other._meets(self, shared)
            or self._meets(other, shared)
            or any(other._intrudes(claim, shared) for claim in self.claims)
            or any(self._intrudes(claim, shared) for claim in other.claims)
            or self._defines_again(other, shared)
            or any(self.leaving.get(suite, (0, 0))[0] + count >= size for suite, (count, size) in other.leaving.items())
        )

    def _defines_again(self, other: Plan, shared: Set[Insert]) -> bool:
        """Whether both bind a new name, in different words or twice at the top level: the second is to find the first there."""
        return any(
            name == again and (text != other_text or not (indent or other_indent))
            for name, indent, text in self._definitions(shared)
            for again, other_indent, other_text in other._definitions(shared)
        )

    def _definitions(self, shared: Set[Insert]) -> list[tuple[str, str, str]]:
        """Name, indentation and text of each line this plan inserts that is `name = …`."""
        return [
            (insert.text.strip().partition(" = ")[0], gap.indent, insert.text.strip())
            for gap, items in self.gaps.items()
            for insert in (lines.insert for lines in items)
            if insert is not None and insert not in shared and " = " in insert.text
        ]

    def _inserts(self) -> set[Insert]:
        return {lines.insert for items in self.gaps.values() for lines in items if lines.insert is not None}

    def _own_gaps(self, shared: Set[Insert]) -> list[Gap]:
        """The gaps into which this plan writes more than the shared Inserts."""
        return [gap for gap, items in self.gaps.items() if not all(lines.insert in shared for lines in items)]

    def _meets(self, other: Plan, shared: Set[Insert]) -> bool:
        """Whether lines of this plan that are not shared meet what the other one writes."""
        for gap in self._own_gaps(shared):
            if any(_touch(gap, splice, self.layout.text) for splice in other.splices):
                return True
            for there in other.gaps:
                # two ways to open one one-line suite
                if _touch(gap, there, self.layout.text) or (gap.opening and gap.opening in (there.opening, there[:2])):
                    return True
        return False

    def _intrudes(self, claim: Span, shared: Set[Insert]) -> bool:
        """Whether this plan writes, or anchors what is not shared, inside a claimed region."""
        start, end = claim
        return (
            any(a < end and start < b for a, b in self.claims)
            or any(a < end and start < b for a, b, _ in self.splices)
            or any(start <= at < end for at, insert in self.anchors if insert is None or insert not in shared)
            or any(gap.start < end and start < gap.end for gap in self._own_gaps(shared))
        )

    def edits(self) -> list[TextEdit]:
        """All splices, sorted. Raises RewriteError where edits of one fix overlap."""
        found = [(edit, 0) for edit in self.splices]
        openings = {gap.opening: gap for gap in self.gaps if gap.opening is not None}
        for gap, items in self.gaps.items():
            found.append((TextEdit(gap.start, gap.end, self._fill(gap, items)), len(gap.indent)))
        for opening, gap in openings.items():
            if not any(there[:2] == opening for there in self.gaps):
                found.append((TextEdit(*opening, self.layout.source.newline + gap.indent), 0))
        # at one point the deeper lines come first: they still belong to the block above
        found.sort(key=lambda item: (item[0].start, item[0].end, -item[1]))
        edits = [edit for edit, _ in found]
        for a, b in itertools.pairwise(edits):
            if b.start < a.end:
                raise RewriteError(f"{self.layout.row(b.start)}: edits of one fix overlap")
        return self._unended(edits)

    def _unended(self, edits: list[TextEdit]) -> list[TextEdit]:
        """Keep a file without a final newline without one when its last lines go."""
        text = self.layout.text
        if not edits or edits[-1].end < len(text) or text.endswith(("\n", "\r")):
            return edits
        last, before = edits[-1], edits[-2] if len(edits) > 1 else None
        follows = before is not None and before.end == last.start
        if last.start == last.end and follows and before is not None and not before.content:
            # new lines take the place of the last ones
            edits[-1] = last._replace(content=last.content[len(self.layout.source.newline) :])
        elif not last.content and newline_before(text, last.start):
            if follows and before is not None:
                edits[-2] = before._replace(
                    content=before.content[: -newline_before(before.content, len(before.content))]
                )
            else:
                edits[-1] = last._replace(start=last.start - newline_before(text, last.start))
        return edits

    def _fill(self, gap: Gap, items: Iterable[Lines]) -> str:
        """The text of a gap; a blank line that an Insert asks for is not doubled."""
        layout, newline, lines = self.layout, self.layout.source.newline, ""
        for insert, text in items:
            if insert is not None and insert.text.startswith("\n"):
                above = lines.endswith(newline * 2) if lines else layout.blank_above(gap)
                lines += "" if above else newline
            lines += text
            if insert is not None and insert.text.endswith("\n") and not layout.blank_below(gap):
                lines += newline
        if gap.prefix and gap.start == gap.end:
            # behind the last line of a file without a final newline: it stays without one
            lines = lines[: len(lines) - newline_before(lines, len(lines))]
        return gap.prefix + lines + gap.suffix


def _touch(a: TextEdit | Gap, b: TextEdit | Gap, text: str) -> bool:
    """Whether two ranges overlap or touch inside a line; a point at the edge of a range does not."""
    if a.start == a.end or b.start == b.end:
        return a.start < b.start < a.end or b.start < a.start < b.end or a[:2] == b[:2]
    if a.end == b.start or b.end == a.start:
        return text[max(a.start, b.start) - 1] not in "\r\n"
    return a.start < b.end and b.start < a.end
