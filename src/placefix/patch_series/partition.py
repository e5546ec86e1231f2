"""Groups of rules whose fixes of a file are independent, so that their patches apply in any order.

The engine decides, not the fixes: the patch of a group of rules is the result of the engine with the fixes of these rules only.
Two groups are independent if neither patch changes code that the other one needs, and if both patches together
equal the engine's result with the fixes of both.
"""

from __future__ import annotations

import itertools
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from placefix.engine import Changed, FixSelector
from placefix.report.diff import CONTEXT, split_lines

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterator, Sequence

    from placefix.diagnostic import Diagnostic
    from placefix.runner import FileResult
    from placefix.source import Source

Group = frozenset[str]  # codes of rules


class RuleSelector(FixSelector):
    """The fixes of some rules."""

    def __init__(self, codes: Group) -> None:
        self._codes = codes

    def select_fixes(self, source: Source, tree: ast.Module, found: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
        """The findings of the selected rules."""
        return [d for d in found if d.code in self._codes]

    def accept_syntax_fixes(self, source: Source, found: Sequence[Diagnostic]) -> bool:
        """Whether all rules that repair the syntax are selected."""
        return all(d.code in self._codes for d in found)


def partition_rules(
    result: FileResult, again: Callable[[FileResult, FixSelector], FileResult]
) -> list[tuple[Group, FileResult]]:
    """The rules that changed a file, grouped by dependence, each group with its result for the file alone.

    again: the file fixed again with the fixes that a FixSelector selects.
    """
    assert isinstance(result.outcome, Changed)
    rules = dict.fromkeys(d.rule for d in result.outcome.applied)
    every = frozenset(rule.code for rule in rules)
    # a fix that was validated with the fixes after it is not separated from them
    if len(every) == 1 or any(rule.validate is not None for rule in rules):
        return [(every, result)]
    file = _RuleVariants(result, again)
    found = [frozenset({rule.code}) for rule in rules]
    while (pair := next(filter(file.entangled, itertools.combinations(found, 2)), None)) is not None:
        found = [group for group in found if group not in pair] + [pair[0] | pair[1]]
    if file.merged(found) != file.lines(every):  # it takes three
        return [(every, result)]
    return [(group, file.alone(group)) for group in found if isinstance(file.alone(group).outcome, Changed)]


class _LineChange(NamedTuple):
    """Lines [start, end) of the file as it was become `new`."""

    start: int
    end: int
    new: tuple[bytes, ...]


class _Hunk(NamedTuple):
    """A hunk of a patch: lines [start, end) of the file as it was, context included."""

    start: int
    end: int


class _RuleVariants:
    """A file with the fixes of some rules; each result is computed once."""

    def __init__(self, result: FileResult, again: Callable[[FileResult, FixSelector], FileResult]) -> None:
        self._again = again
        self._result = result
        self._before = split_lines(result.before_after()[0])
        self._results: dict[Group, FileResult] = {frozenset(d.code for d in result.applied): result}

    def alone(self, group: Group) -> FileResult:
        """The file by the fixes of a group."""
        if group not in self._results:
            self._results[group] = self._again(self._result, RuleSelector(group))
        return self._results[group]

    def lines(self, group: Group) -> list[bytes] | None:
        """The lines of the file by the fixes of a group, None where that failed."""
        result = self.alone(group)
        return None if result.error else split_lines(result.before_after()[1])

    def entangled(self, pair: tuple[Group, Group]) -> bool:
        """Whether two groups cannot be separated."""
        a, b = pair
        if self.lines(a) is None or self.lines(b) is None:
            return True
        return self._disturbs(a, b) or self._disturbs(b, a) or self.merged([a, b]) != self.lines(a | b)

    def merged(self, found: Sequence[Group]) -> list[bytes]:
        """The lines of the file by the patches of all these groups, no two of which are entangled."""
        lines, at = [], 0
        for change in sorted(change for group in found for change in self._changes(group)):
            lines += self._before[at : change.start]
            lines += change.new
            at = change.end
        return lines + self._before[at:]

    def _changes(self, group: Group) -> Iterator[_LineChange]:
        after = self.lines(group) or []
        for kind, start, end, first, last in SequenceMatcher(None, self._before, after).get_opcodes():
            if kind != "equal":
                yield _LineChange(start, end, tuple(after[first:last]))

    def _hunks(self, group: Group) -> list[_Hunk]:
        matcher = SequenceMatcher(None, self._before, self.lines(group) or [])
        return [_Hunk(hunk[0][1], hunk[-1][2]) for hunk in matcher.get_grouped_opcodes(CONTEXT)]

    def _disturbs(self, a: Group, b: Group) -> bool:
        """Whether the patch of `a` may not apply, or not in its place, once that of `b` has been applied."""
        changes = list(self._changes(b))
        shifts = any(change.end - change.start != len(change.new) for change in changes)
        return any(
            any(self._inside(change, hunk) for change in changes) or (shifts and self._is_found_twice(hunk, a | b))
            for hunk in self._hunks(a)
        )

    def _inside(self, change: _LineChange, hunk: _Hunk) -> bool:
        if change.start < change.end:
            return change.start < hunk.end and hunk.start < change.end
        # a hunk at an edge of the file has to be found there
        return hunk.start < change.start < hunk.end or (change.start in (0, len(self._before)) and change.start in hunk)

    def _is_found_twice(self, hunk: _Hunk, both: Group) -> bool:
        """Whether the lines of a hunk are not the only ones of their kind: git looks for them where they were."""
        wanted = self._before[hunk.start : hunk.end]
        return any(
            _count(wanted, lines or []) > 1
            for lines in (self._before, self.lines(both), split_lines(self._result.before_after()[1]))
        )


def _count(wanted: Sequence[bytes], lines: Sequence[bytes]) -> int:
    """How often a run of lines occurs."""
    size = len(wanted)
    starts = (at for at, line in enumerate(lines) if line == wanted[0])
    return sum(lines[at : at + size] == wanted for at in starts)
