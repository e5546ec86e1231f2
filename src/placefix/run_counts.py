"""The counts of a run so far, and its summary in words."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from placefix.diagnostic import Applicability
from placefix.engine import Changed
from placefix.report.output_stream import count_phrase, severity_totals

if TYPE_CHECKING:
    from placefix.runner import FileResult

NAMED = 10  # files: of so many that were written a summary has the names


class RunCounts:
    """The counts of one run.

    written: the files whose new text is on disk. undoable: whether a journal was kept of them.
    """

    def __init__(self) -> None:
        self.undoable = True
        self.failed = 0  # errors in files
        self.files = 0
        self.found = 0  # findings that are there, and in how many files
        self.found_in = 0
        self.hidden = 0  # findings below the requested severity
        self.severities: list[str] = []
        self.notes = 0  # on code that stays unchanged; not counted as findings
        self.fixable = 0
        self.previewed = False
        self.may_follow = False  # whether fixes make room in a file where something is not fixed yet
        self.unsafe = 0  # those that --unsafe-fixes would add
        self.applied = 0  # findings repaired; those that only other fixes brought about; in how many files
        self.followed = 0
        self.changed: list[str] = []
        self.written: list[str] = []  # the changed files that are written

    def add(self, result: FileResult) -> None:
        """Count the findings and fixes of a file."""
        remaining, fixable = result.faults, result.fixable
        self.notes += len(result.remaining) - len(remaining)
        self.found += len(remaining)
        self.found_in += bool(remaining)
        self.severities += (d.severity.value for d in remaining)
        self.hidden += len(result.hidden)
        self.fixable += len(fixable)
        self.may_follow = (
            self.may_follow or 0 < len(fixable) < len(remaining) or any(d.rule.recover_syntax for d in fixable)
        )
        self.unsafe += sum(
            not result.is_fixable(d)
            for d in remaining
            if d.fix is not None and d.fix.applicability is Applicability.UNSAFE
        )
        if isinstance(result.outcome, Changed):
            self.applied += len(result.outcome.applied) - result.outcome.followed
            self.followed += result.outcome.followed
            self.changed.append(result.path)
            if result.written:
                self.written.append(result.path)

    def summary_of_check(self) -> str:
        """The summary of a run that reports."""
        if not self.found:
            return f"Nothing found in {count_phrase(self.files - self.failed, 'file')}.{self._note_count()}{self._hidden_count()}"
        fixes = [f"{self.fixable} fixable with `placefix apply`"]
        if self.unsafe:
            fixes.append(f"{self.unsafe} more with --unsafe-fixes")
        text = f"Found {count_phrase(self.found, 'problem')} in {count_phrase(self.found_in, 'file')}: {severity_totals(self.severities)} ({', '.join(fixes)})."
        more = (
            " More may follow from the fixes: `placefix check --preview` lists it."
            if self.may_follow and not self.previewed
            else ""
        )
        return f"{text}{more}{self._note_count()}{self._hidden_count()}"

    def _hidden_count(self) -> str:
        return f" {count_phrase(self.hidden, 'problem')} below the severity asked for not shown." if self.hidden else ""

    def _note_count(self) -> str:
        return f" {count_phrase(self.notes, 'note')} on code that stays unchanged." if self.notes else ""

    def summary_of_fixes(self, verb: str) -> str:
        """The summary of a run that changes files, or would. verb: the verb for repaired problems, such as "Fixed"."""
        names = f": {self._written_names()}" if self.written else ""
        more = f" and {self.followed} that followed from the fixes" if self.followed else ""
        text = (
            f"{verb} {count_phrase(self.applied, 'problem')}{more} in {count_phrase(len(self.changed), 'file')}{names}."
        )
        if not self.changed:
            text = "Nothing to fix."
        if self.found:
            text += f" {self.found} {'remains' if self.found == 1 else 'remain'}"
            text += f": {severity_totals(self.severities)}"
            text += f" ({self.unsafe} fixable with --unsafe-fixes)." if self.unsafe else "."
        return text + self._hidden_count() + self._undo_hint()

    def _written_names(self) -> str:
        """The files that were written; of many the first."""
        more = len(self.written) - NAMED
        return ", ".join(self.written[:NAMED]) + (f" and {more} more" if more > 0 else "")

    def _undo_hint(self) -> str:
        """How the changes that were written are reviewed and undone."""
        if not self.written or not self.undoable:
            return ""
        from placefix.git import work_tree_root

        review = "Review with `git diff`, take" if work_tree_root(os.getcwd()) else "Take"
        return f" {review} back with `placefix undo`."
