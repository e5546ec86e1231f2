"""Diagnostics that several rules report in the same form."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from placefix.diagnostic import Severity
from placefix.facts.finding import fix_of
from placefix.facts.program.framework_scopes import FrameworkScopes
from placefix.facts.wording import text_of, unite
from placefix.rules import messages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from placefix.diagnostic import Diagnostic, Fix, Rule
    from placefix.facts.context import AnalysisContext
    from placefix.facts.finding import Finding
    from placefix.facts.wording import Premise, Reason
    from placefix.rules.ordering.misordered import Repair


class Remedy(TypedDict):
    """The keyword arguments of `Rule.diagnostic` about the repair."""

    fix: Fix | None
    note: str


def outside_frameworks(
    context: AnalysisContext, check: Callable[[AnalysisContext], Iterator[Diagnostic]]
) -> Iterator[Diagnostic]:
    """The diagnostics of a check that are in no function or class in which a framework places things."""
    if not context.tree.framework:
        yield from check(context)
        return
    scopes = context.get(_framework_scopes)
    for found in check(context) if not scopes.all else ():
        if not scopes.owns(context.source.line_of(found.span.start)):
            yield found


def _framework_scopes(context: AnalysisContext) -> FrameworkScopes:
    """Computed once for a file."""
    return FrameworkScopes(context.tree)


def remedy(repair: Repair, message: str, premise: Premise | Iterable[Premise] | None = None) -> Remedy:
    """A repair as a fix, or its refusal as a note. With a `premise`, or several, the fix is unsafe."""
    if not repair.edits:
        return {"fix": None, "note": not_fixed(repair.why_not)}
    return {"fix": fix_of(repair.edits, message, unite(premise)), "note": ""}


def not_fixed(reason: Reason | None) -> str:
    """The note that gives the reason why there is no fix, "" without one."""
    return messages.NOT_FIXED.format(reason=reason.text) if reason is not None else ""


def report(rule: Rule, found: Finding, text: str, title: str = "") -> Diagnostic:
    """The diagnostic of a finding: an error where it is shown that something fails, a warning that gives the reason where it is in
    doubt. title: of the fix."""
    severity = rule.severity
    if found.doubt is not None:
        text, severity = f"{text}; {found.doubt.text}", Severity.WARNING
    note = not_fixed(found.why_not) if found.shown or not found.edits else ""
    note = note or text_of(found.hint)
    fix = fix_of(found.edits, title, found.premises, shown=found.shown) if found.edits else None
    return rule.diagnostic(found.span, text, fix=fix, note=note, severity=severity, met=found.met, shares=found.shares)


def misplaced(rule: Rule, found: Finding, template: str, title: str, against: str = "") -> Diagnostic:
    """The diagnostic of a tensor that has to move. template: of `messages`, with names, is_are and against, the device of the
    other operand; title: of the fix."""
    text = template.format(
        names=" and ".join(f"`{name}`" for name in found.names),
        is_are="is" if len(found.names) == 1 else "are",
        against=against or on_a_device(found.what),
    )
    return report(rule, found, text, title)


def on_a_device(what: str) -> str:
    """Where the other operand of an operation is, if only the kind of the operation is known."""
    other = messages.OTHER_OPERAND.get(what, messages.OTHER_OPERAND["operand"])
    return messages.AGAINST.format(other=other, where=messages.A_DEVICE)


def kept(rule: Rule, found: Finding, message: str) -> Diagnostic:
    """A note about code that stays unchanged for a reason and is no problem."""
    return rule.diagnostic(
        found.span, message, note=messages.KEPT.format(reason=text_of(found.why_not)), severity=Severity.NOTE
    )


def respelled(rule: Rule, found: Finding, message: str, title: str) -> Diagnostic:
    """The diagnostic of a hard-coded use of CUDA. title: of the fix, with a field for the device."""
    device = found.device if len(found.device) <= 60 else "device"
    return report(rule, found, message, title.format(device=device))
