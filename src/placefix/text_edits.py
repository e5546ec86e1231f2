"""Splices of text, and which fixes can be written together.

An `EditPlan` is the effect of one fix, or of several compatible ones, on the text: ranges that change,
gaps between statements that get new lines, and the regions that no other edit may touch.
Nothing here reads Python.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, insort
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, cast

from placefix.diagnostic import Replace, Span
from placefix.layout import Gap, Layout, RewriteError, newline_before

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

    from placefix.diagnostic import Fix, Insert


class TextEdit(NamedTuple):
    """Replace the code points [start, end) of `Source.text` by `content`."""

    start: int
    end: int
    content: str


class InsertedLines(NamedTuple):
    """Whole lines for a gap. `insert` is the edit they come from; None for moved statements,
    which, unlike an Insert, two fixes cannot share. above, below: whether a blank line separates them from the lines there."""

    insert: Insert | None
    text: str
    above: bool = False
    below: bool = False


def splice(text: str, edits: Iterable[TextEdit]) -> str:
    """Apply sorted edits that do not overlap."""
    parts: list[str] = []
    at = 0
    for start, end, content in edits:
        parts += text[at:start], content
        at = end
    parts.append(text[at:])
    return "".join(parts)


def spliced_segment(text: str, span: Span, edits: Iterable[TextEdit]) -> str:
    """The text of `span` after those of the sorted edits that are inside it."""
    shift = span.start
    own = [TextEdit(a - shift, b - shift, content) for a, b, content in edits if shift <= a and b <= span.end]
    return splice(text[span.start : span.end], own)


def token_edits(fix: Fix) -> tuple[TextEdit, ...]:
    """The splices of a fix in a text that cannot be parsed: it replaces tokens, and nothing else."""
    return tuple(TextEdit(*edit.span, edit.text) for edit in fix.edits if isinstance(edit, Replace))


class EditPlan:
    """The effect of compatible fixes on the text of one file.

    splices: ranges that change. gaps: the lines each gap gets, in order. claims: line regions
    that no other fix may touch or anchor in. anchors: start of the statement next to which
    lines go, with their Insert. leaving: how many statements leave a suite (by identity) and
    of how many, so that two fixes do not empty it together.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.splices: list[TextEdit] = []
        self.gaps: dict[Gap, list[InsertedLines]] = {}
        self.claims: list[Span] = []
        self.anchors: list[tuple[int, Insert | None]] = []
        self.leaving: dict[int, tuple[int, int]] = {}

    def write(self, gap: Gap, lines: InsertedLines) -> None:
        """Put lines into a gap, behind those it has; an Insert only once."""
        items = self.gaps.setdefault(gap, [])
        if lines.insert is None or lines not in items:
            items.append(lines)

    def leave(self, suite: int, count: int, size: int) -> bool:
        """Note that `count` of the `size` statements of a suite go; whether any is left."""
        gone = self.leaving.get(suite, (0, size))[0] + count
        self.leaving[suite] = (gone, size)
        return gone < size

    def add(self, other: EditPlan) -> None:
        """Take over a plan that does not conflict."""
        self.splices += other.splices
        for gap, items in other.gaps.items():
            for lines in items:
                self.write(gap, lines)
        self.claims += other.claims
        self.anchors += other.anchors
        for suite, (count, size) in other.leaving.items():
            self.leave(suite, count, size)

    def exclusive_gaps(self, shared: Set[Insert]) -> list[Gap]:
        """The gaps into which this plan writes more than the shared Inserts."""
        return [gap for gap in self.gaps if self.is_exclusive(gap, shared)]

    def is_exclusive(self, gap: Gap, shared: Set[Insert]) -> bool:
        """Whether this plan writes more into one of its gaps than the shared Inserts."""
        return not all(lines.insert in shared for lines in self.gaps[gap])

    def definitions(self) -> Iterator[tuple[str, str, str, Insert]]:
        """Name, indentation and text of each line this plan inserts that is `name = …`, and its Insert."""
        for gap, items in self.gaps.items():
            for lines in items:
                if lines.insert is not None and " = " in lines.insert.text:
                    text = lines.insert.text.strip()
                    yield text.partition(" = ")[0], gap.indent, text, lines.insert

    def edits(self) -> list[TextEdit]:
        """All splices, sorted. Raises RewriteError where edits of one fix overlap."""
        found = [(edit, 0) for edit in self.splices]
        openings = {gap.opening: gap for gap in self.gaps if gap.opening is not None}
        for gap, items in self.gaps.items():
            found.append((TextEdit(gap.start, gap.end, self._gap_text(gap, items)), len(gap.indent)))
        filled = {there[:2] for there in self.gaps}
        for opening, gap in openings.items():
            if opening not in filled:
                found.append((TextEdit(*opening, self.layout.source.newline + gap.indent), 0))
        # at one point the deeper lines come first: they still belong to the block above
        found.sort(key=lambda item: (item[0].start, item[0].end, -item[1]))
        edits = [edit for edit, _ in found]
        for a, b in itertools.pairwise(edits):
            if b.start < a.end:
                raise RewriteError(f"{self.layout.row(b.start)}: edits of one fix overlap")
        return self._keep_missing_newline(edits)

    def _keep_missing_newline(self, edits: list[TextEdit]) -> list[TextEdit]:
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

    def _gap_text(self, gap: Gap, items: Iterable[InsertedLines]) -> str:
        """The text of a gap; a requested blank line is not doubled."""
        layout, newline, lines = self.layout, self.layout.source.newline, ""
        for item in items:
            if item.above:
                above = lines.endswith(newline * 2) if lines else layout.blank_above(gap)
                lines += "" if above else newline
            lines += item.text
            if item.below and not layout.blank_below(gap):
                lines += newline
        if gap.prefix and gap.start == gap.end:
            # behind the last line of a file without a final newline: it stays without one
            lines = lines[: len(lines) - newline_before(lines, len(lines))]
        return gap.prefix + lines + gap.suffix


_Range = TypeVar("_Range")


class RangeIndex(Generic[_Range]):
    """Values by ranges of the text, found by position; each is kept once.

    The ranges are in sorted lists by their size, to the next power of two: one that touches a position starts at most that far before it.
    """

    def __init__(self) -> None:
        self._lists: dict[int, list[tuple[int, int]]] = {}
        self._at: dict[tuple[int, int], dict[_Range, None]] = {}

    def add(self, start: int, end: int, thing: _Range) -> None:
        """Add a thing at [start, end); one that is there already stays."""
        there = self._at.get((start, end))
        if there is None:
            there = self._at[start, end] = {}
            insort(self._lists.setdefault((end - start).bit_length(), []), (start, end))
        there[thing] = None

    def near(self, start: int, end: int) -> Iterator[_Range]:
        """The values whose ranges overlap [start, end) or touch it."""
        for size, ranges in self._lists.items():
            for index in range(bisect_left(ranges, (start - (1 << size),)), len(ranges)):
                if ranges[index][0] > end:
                    break
                if ranges[index][1] >= start:
                    yield from self._at[ranges[index]]


class PlanSet:
    """The plans that are written together, as one `plan`, indexed by position, so that a new plan is compared with few of them."""

    def __init__(self, layout: Layout) -> None:
        self.plan = EditPlan(layout)
        self._text = layout.text
        self._inserts: set[Insert] = set()
        self._splices: RangeIndex[TextEdit] = RangeIndex()
        self._gaps: RangeIndex[Gap] = RangeIndex()
        self._claims: RangeIndex[Span] = RangeIndex()
        self._anchors: RangeIndex[tuple[int, Insert | None]] = RangeIndex()
        self._openings: dict[Span, dict[Gap, None]] = {}
        # by name: those that define it, by their text and whether they are indented
        self._definitions: dict[str, dict[tuple[str, bool], set[Insert]]] = {}

    def add(self, other: EditPlan) -> None:
        """Take over a plan that does not conflict."""
        self.plan.add(other)
        for splice in other.splices:
            self._splices.add(splice.start, splice.end, splice)
        for gap, items in other.gaps.items():
            self._gaps.add(gap.start, gap.end, gap)
            if gap.opening is not None:
                self._openings.setdefault(gap.opening, {})[gap] = None
            self._inserts.update(lines.insert for lines in items if lines.insert is not None)
        for claim in other.claims:
            self._claims.add(claim.start, claim.end, claim)
        for anchor in other.anchors:
            self._anchors.add(anchor[0], anchor[0], anchor)
        for name, indent, text, insert in other.definitions():
            self._definitions.setdefault(name, {}).setdefault((text, bool(indent)), set()).add(insert)

    def conflicts(self, other: EditPlan) -> bool:
        """Whether a plan, in order by itself, must not be written together with these."""
        shared = {lines.insert for items in other.gaps.values() for lines in items if lines.insert in self._inserts} - {
            None
        }
        known = cast("Set[Insert]", shared)
        return (
            any(_ranges_meet(a, b, self._text) for b in other.splices for a in self._splices.near(b.start, b.end))
            or self._lines_conflict(other, known)
            or self._enters_claim(other, known)
            or any(self._claims_used_text(claim, known) for claim in other.claims)
            or self._redefines_name(other, known)
            or self._empties_suite(other)
        )

    def _lines_conflict(self, other: EditPlan, shared: Set[Insert]) -> bool:
        """Whether lines that are not shared, of either plan, touch text that the other one writes."""
        own, text = set(other.exclusive_gaps(shared)), self._text
        for gap in own:
            if any(_ranges_meet(gap, splice, text) for splice in self._splices.near(gap.start, gap.end)):
                return True
        for splice in other.splices:
            for gap in self._gaps.near(splice.start, splice.end):
                if _ranges_meet(gap, splice, text) and self.plan.is_exclusive(gap, shared):
                    return True
        for there in other.gaps:
            for gap in self._gaps.near(there.start, there.end):
                if _ranges_meet(gap, there, text) and (there in own or self.plan.is_exclusive(gap, shared)):
                    return True
        return self._opens_suite_twice(other, own, shared)

    def _opens_suite_twice(self, other: EditPlan, own: Set[Gap], shared: Set[Insert]) -> bool:
        """Whether there are two ways to open one one-line suite."""
        for there in other.gaps:
            opened = {Span(there.start, there.end)} | ({there.opening} if there.opening is not None else set())
            for opening in opened:  # by our lines next to it, that are not shared
                if any(self.plan.is_exclusive(gap, shared) for gap in self._openings.get(opening, ())):
                    return True
            if there in own and there.opening is not None:
                if self._openings.get(there.opening):
                    return True
                if any(gap[:2] == there.opening for gap in self._gaps.near(*there.opening)):
                    return True
        return False

    def _enters_claim(self, other: EditPlan, shared: Set[Insert]) -> bool:
        """Whether the plan writes into a claimed region, or has an anchor there that is not shared."""
        ranges = [*other.claims, *(Span(a, b) for a, b, _ in other.splices)]
        ranges += [Span(gap.start, gap.end) for gap in other.exclusive_gaps(shared)]
        if any(claim.overlaps(span) for span in ranges for claim in self._claims.near(*span)):
            return True
        anchors = [at for at, insert in other.anchors if insert is None or insert not in shared]
        return any(start <= at < end for at in anchors for start, end in self._claims.near(at, at))

    def _claims_used_text(self, claim: Span, shared: Set[Insert]) -> bool:
        """Whether something is claimed, written or, where it is not shared, anchored inside a region that a plan claims."""
        start, end = claim
        return (
            any(claim.overlaps(there) for there in self._claims.near(start, end))
            or any(claim.overlaps(Span(a, b)) for a, b, _ in self._splices.near(start, end))
            or any(
                start <= at < end and (insert is None or insert not in shared)
                for at, insert in self._anchors.near(start, end)
            )
            or any(
                claim.overlaps(Span(gap.start, gap.end)) and self.plan.is_exclusive(gap, shared)
                for gap in self._gaps.near(start, end)
            )
        )

    def _redefines_name(self, other: EditPlan, shared: Set[Insert]) -> bool:
        """Whether both plans define the same new name with different texts, or both at the top level. The second one waits: in
        the next round it uses the definition of the first."""
        return any(
            (text != again or not (indent or deep)) and not there <= shared
            for name, indent, text, insert in other.definitions()
            if insert not in shared
            for (again, deep), there in self._definitions.get(name, {}).items()
        )

    def _empties_suite(self, other: EditPlan) -> bool:
        """Whether the last statements of a suite would go."""
        leaving = self.plan.leaving
        return any(leaving.get(suite, (0, 0))[0] + count >= size for suite, (count, size) in other.leaving.items())


def _ranges_meet(a: TextEdit | Gap, b: TextEdit | Gap, text: str) -> bool:
    """Whether two ranges overlap or touch inside a line; a point at the edge of a range does not."""
    if a.start == a.end or b.start == b.end:
        return a.start < b.start < a.end or b.start < a.start < b.end or a[:2] == b[:2]
    if a.end == b.start or b.end == a.start:
        return text[max(a.start, b.start) - 1] not in "\r\n"
    return a.start < b.end and b.start < a.end
