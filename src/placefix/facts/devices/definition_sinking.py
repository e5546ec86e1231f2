"""Definitions of new devices are sunk to the first use that is fixed.

A definition is inserted above all uses of CUDA in a function. Which of them have a fix is known after every rule has run: if the first
ones have none, the definition would be far above its first reader.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Applicability, Insert, Move, Replace, Severity, Unwrap
from placefix.facts import premises
from placefix.facts.context import FileAnalysis
from placefix.facts.devices.device_selection import Devices
from placefix.facts.finding import made_unsafe
from placefix.facts.program.tree import dominates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from placefix.diagnostic import Diagnostic, Edit, Fix
    from placefix.facts.program.tree import Stmt

# A definition that is more rows than these above its first reader is not worth a guard that runs without CUDA as well.
_FAR = 25


class Sinking(FileAnalysis):
    """Answers for one file."""

    def sunk(self, found: Sequence[Diagnostic], *, unsafe: bool) -> list[Diagnostic]:
        """The findings, the fixes that are applied with each definition of a device before the first statement that reads it; those that
        only rewrite guards are unsafe if that is far below.
        unsafe: whether unsafe fixes are applied as well."""
        local = self.context.get(Devices).local
        users: dict[Edit, list[int]] = {}
        for n, finding in enumerate(found):
            if finding.fix is not None and (unsafe or finding.fix.applicability is Applicability.SAFE):
                for edit in finding.fix.edits:
                    if edit in local:
                        users.setdefault(edit, []).append(n)
        sunk = list(found)
        for edit, mine in users.items():
            anchor = local[edit]
            users_of = [stmt for n in mine for stmt in self._users(sunk[n].fix, edit, anchor)]
            place = self.context.get(Devices).sunk(anchor, users_of)
            sinks = dominates(anchor, place) or anchor in list(place.ancestors())[1:]
            self._demote_far(
                sunk, mine, edit, min(map(self._row, users_of), default=0) - self._row(place if sinks else anchor)
            )
            if not sinks:
                continue
            lower = edit._replace(anchor=self.context.span(place))  # type: ignore[call-arg]
            for n in mine:
                fix = sunk[n].fix
                assert fix is not None
                edits = tuple(lower if one == edit else one for one in fix.edits)
                sunk[n] = sunk[n]._replace(fix=fix._replace(edits=edits))
        return sunk

    @staticmethod
    def _demote_far(found: list[Diagnostic], mine: Sequence[int], definition: Edit, rows: int) -> None:
        """Make the fixes unsafe that define a device many rows above its first use, if they only rewrite guards."""
        assert isinstance(definition, Insert)
        if rows > _FAR and all(found[n].severity is Severity.STYLE for n in mine):
            premise = premises.DEFINED_FAR_ABOVE(device=definition.text.strip().partition(" = ")[0], count=rows)
            for n in mine:
                fix = found[n].fix
                found[n] = found[n]._replace(fix=made_unsafe(fix, premise) if fix is not None else None)

    def _row(self, stmt: Stmt) -> int:
        return self.context.source.line_of(self.context.span(stmt).start)

    def _users(self, fix: Fix | None, definition: Edit, anchor: Stmt) -> Iterator[Stmt]:
        """The statements of the function of `anchor` into which a fix writes, or may write, the name that `definition` binds."""
        assert isinstance(definition, Insert)
        name = definition.text.partition(" = ")[0]
        for edit in fix.edits if fix is not None else ():
            if edit == definition:
                continue
            for offset in _offsets(edit, name):
                stmt = self._at(offset)
                found = stmt is not None and stmt.scope.within(anchor.scope)
                yield stmt if stmt is not None and found else anchor  # a decorator: no statement begins above it

    def _at(self, offset: int) -> Stmt | None:
        """The innermost statement at an offset, or that ends there."""
        index = bisect_right(self._starts, offset) - 1
        stmt = self._stmts[index] if index >= 0 else None
        while stmt is not None and self.context.span(stmt).end < offset:
            stmt = stmt.parent
        return stmt

    @cached_property
    def _stmts(self) -> list[Stmt]:
        return sorted(self.context.tree.stmts.values(), key=self.context.span)

    @cached_property
    def _starts(self) -> list[int]:
        return [self.context.span(stmt).start for stmt in self._stmts]


def _offsets(edit: Edit, name: str) -> Iterator[int]:
    """Where the statements begin that an edit makes read a name, and where it may put them."""
    if isinstance(edit, Replace):
        if name in edit.text:
            yield edit.span.start
    elif isinstance(edit, Insert):
        if name in edit.text:
            yield edit.anchor.start
    elif isinstance(edit, Unwrap):
        if any(name in replace.text for replace in edit.replace):
            yield edit.statement.start
    elif isinstance(edit, Move):
        yield edit.anchor.start
        yield from (span.start for span in edit.statements)
