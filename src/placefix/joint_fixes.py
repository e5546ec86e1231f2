"""Fixes that help only together, as one fix: all of its edits are applied, or none.

An operation that fails without the repairs of two operands connects the findings about them (`Diagnostic.met`), and so do
common parts of their repairs (`Diagnostic.shares`). Findings that are connected, directly or through others, keep their places and
their messages and have the same `Fix`. It is safe if every part of it is. Where a part cannot be applied, none of them has a fix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Applicability, Insert, Move
from placefix.draft import FixDraft, changed_text, is_free
from placefix.facts.finding import joint_fix_of

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator, Sequence

    from placefix.diagnostic import Diagnostic, Edit, Fix, Span
    from placefix.source import Source


class AbsentFinding(NamedTuple):
    """A finding that the run does not report, and the reason: the rest of a sentence that begins with its line."""

    finding: Diagnostic
    why: str


SILENCED = "which a comment silences"
UNCHANGED = "which has not changed"
LESS_SEVERE = "whose severity the run does not report"


def unselected_finding(finding: Diagnostic) -> AbsentFinding:
    """A finding of a rule that is not selected."""
    return AbsentFinding(finding, f"where {finding.code} is not selected")


def join_fixes(
    source: Source,
    tree: ast.Module,
    found: Sequence[Diagnostic],
    absent: Sequence[AbsentFinding] = (),
    *,
    severity: str = "note",
) -> tuple[Diagnostic, ...]:
    """The findings, those that are connected with one fix or, if a part of it cannot be applied, without.

    absent: findings of the same text that the run does not report; no fix may need theirs. severity: the value of the least
    severity that is reported.
    """
    reported = list(found)
    members = [*found, *(one.finding for one in absent)]
    whys = [_reason_against(d, severity) for d in found] + [one.why for one in absent]
    joined: list[tuple[list[int], Fix]] = []
    draft: FixDraft | None = None
    for group in _groups(members):
        held = [index for index in group if whys[index]]
        mine = [index for index in group if index < len(found)]
        if held:
            for index in mine:
                reported[index] = _without_fixes(source, reported[index], members, held, whys)
            continue
        draft = draft or FixDraft(source, tree)
        edits = _merge_edits(draft, [fix for index in mine if (fix := reported[index].fix) is not None])
        if edits is not None:
            joined.append((mine, _joint_fix(source, [reported[index] for index in mine], edits)))
            continue
        for index in mine:
            other = next(i for i in mine if i != index)
            why = f"its fix and that of {_row(source, members[other])} change the same text"
            reported[index] = _refused(reported[index], why)
    faults = draft.faults([fix for _, fix in joined]) if draft is not None else {}
    for number, (group, fix) in enumerate(joined):
        fault = faults.get(number)
        for index in group:
            one = reported[index]
            reported[index] = _refused(one, fault) if fault else one._replace(fix=fix)
    return tuple(reported)


def _refused(finding: Diagnostic, why: str) -> Diagnostic:
    """The finding without its fix."""
    return finding._replace(fix=None, note=f"not fixed: {why}")


def _groups(members: Sequence[Diagnostic]) -> Iterator[list[int]]:
    """The findings that are connected with others, by their numbers, sorted: those of one operation with different operands, and those
    that share something. Two repairs of one operand are two ways to it, of which each is enough."""
    operations: dict[Span, list[tuple[Span, int]]] = {}
    shared: dict[int | Span, list[int]] = {}
    for index, finding in enumerate(members):
        for operation, operand in finding.met:
            operations.setdefault(operation, []).append((operand, index))
        for thing in finding.shares:
            shared.setdefault(thing, []).append(index)
    together = [*shared.values()]
    together += [[i for _, i in one] for one in operations.values() if len({operand for operand, _ in one}) > 1]
    parent: dict[int, int] = {}

    def first(index: int) -> int:
        """The representative of the group that `index` is in."""
        while (above := parent.get(index, index)) != index:
            index = above
        return index

    for linked in together:
        least = min(map(first, linked))
        for index in linked:
            parent[first(index)] = least
    groups: dict[int, list[int]] = {}
    for index in range(len(members)):
        groups.setdefault(first(index), []).append(index)
    return (group for group in groups.values() if len(group) > 1)


def _reason_against(finding: Diagnostic, severity: str) -> str:
    """Why the fix of a finding is not applied, as in `AbsentFinding`; "" where it can be."""
    fix = finding.fix
    if fix is None:
        reason = finding.note.partition(": ")[2] or finding.note
        return f"which is not fixed: {reason}" if reason else "which has no fix"
    if fix.applicability is Applicability.DISPLAY:
        return f"whose fix is a suggestion only: {fix.premise}"
    return "" if finding.severity.reaches(severity) else LESS_SEVERE


def _without_fixes(
    source: Source, finding: Diagnostic, members: Sequence[Diagnostic], held: Sequence[int], whys: Sequence[str]
) -> Diagnostic:
    """A finding without its fix, which needs one of a finding that cannot be applied."""
    other = next((index for index in held if members[index] is not finding), None)
    if finding.fix is None or finding.fix.applicability is Applicability.DISPLAY or other is None:
        return finding
    return _refused(finding, f"it helps only together with {_row(source, members[other])}, {whys[other]}")


def _joint_fix(source: Source, found: Sequence[Diagnostic], edits: tuple[Edit, ...]) -> Fix:
    """One fix for findings that have one each; its premises name the lines, if there are several."""
    rows = {_row(source, d) for d in found}
    parts = [(f"{_row(source, d)}: " if len(rows) > 1 else "", d.fix) for d in found if d.fix is not None]
    return joint_fix_of(edits, parts)


def _merge_edits(draft: FixDraft, fixes: Sequence[Fix]) -> tuple[Edit, ...] | None:
    """The edits of several fixes, each once: a statement that several move in its suite rises to the first of their places, and a
    definition that several insert into a suite is written at the first. None where they change the same text in different ways."""
    edits = _unite_edits(draft, fixes)
    taken: list[Span] = []
    for span in sorted(span for edit in edits for span in changed_text(edit)):
        if not is_free(span, taken):
            return None
        taken.append(span)
    return edits if _are_compatible(edits) else None


def _unite_edits(draft: FixDraft, fixes: Sequence[Fix]) -> tuple[Edit, ...]:
    """Each edit once; of moves of one statement, and of equal insertions into one suite, the first in the text."""
    found: dict[object, Edit] = {}
    for edit in dict.fromkeys(edit for fix in fixes for edit in fix.edits):
        key: object = edit
        if isinstance(edit, Move) and edit.where == "before":
            key = edit.statements
        elif isinstance(edit, Insert) and edit.where == "before":
            key = edit.text, draft.suite(edit.anchor)
        there = found.get(key)
        if isinstance(edit, (Move, Insert)) and isinstance(there, (Move, Insert)) and there.anchor <= edit.anchor:
            continue
        found[key] = edit
    return tuple(found.values())


def _are_compatible(edits: Sequence[Edit]) -> bool:
    """Whether the insertions define each name in one way, and none is at a statement that moves."""
    moving = [span for edit in edits if isinstance(edit, Move) for span in edit.statements]
    defined: dict[str, str] = {}
    for edit in edits:
        if not isinstance(edit, Insert):
            continue
        name = edit.text.partition(" = ")[0]
        if defined.setdefault(name, edit.text) != edit.text:
            return False
        if any(span.start <= edit.anchor.start < span.end for span in moving):
            return False
    return True


def _row(source: Source, finding: Diagnostic) -> str:
    """The line of a finding, as messages name it."""
    return source.row_name(source.line_of(finding.span.start))
