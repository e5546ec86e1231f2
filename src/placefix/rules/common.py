"""What several rules say in the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from placefix.diagnostic import Applicability, Fix, Severity
from placefix.rules import messages

if TYPE_CHECKING:
    from placefix.diagnostic import Diagnostic, Rule
    from placefix.facts.finding import Finding
    from placefix.rules.ordering.repairs import Repair


class Remedy(TypedDict):
    """The keyword arguments of `Rule.diagnostic` that say what can be done."""

    fix: Fix | None
    note: str


def remedy(repair: Repair, message: str, premise: str = "") -> Remedy:
    """A repair as a fix, or its refusal as a note. With a `premise` the fix is unsafe."""
    if not repair.edits:
        return {"fix": None, "note": messages.NOT_FIXED.format(reason=repair.why_not) if repair.why_not else ""}
    applicability = Applicability.UNSAFE if premise else Applicability.SAFE
    return {"fix": Fix(repair.edits, message, applicability, premise), "note": ""}


def report(rule: Rule, found: Finding, text: str, title: str = "") -> Diagnostic:
    """The diagnostic of a finding: an error where it is shown that something fails, a warning that gives the reason where it is in
    doubt. title: of the fix."""
    severity = rule.severity
    if found.doubt:
        text, severity = f"{text}; {found.doubt}", Severity.WARNING
    refused = found.why_not and (found.shown or not found.edits)
    note = messages.NOT_FIXED.format(reason=found.why_not) if refused else found.hint
    fix = None
    if found.edits:
        applicability = Applicability.UNSAFE if found.premise else Applicability.SAFE
        if found.shown:
            applicability = Applicability.DISPLAY
        fix = Fix(found.edits, title, applicability, found.premise)
    return rule.diagnostic(found.span, text, fix=fix, note=note, severity=severity, met=found.met)


def misplaced(rule: Rule, found: Finding, template: str, title: str, against: str = "") -> Diagnostic:
    """The diagnostic of a tensor that has to move. template: of `messages`, with names, is_are and against, which says where the
    other operand is; title: of the fix."""
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
    """The diagnostic of what stays as it is, and is no fault: a note."""
    return rule.diagnostic(found.span, message, note=messages.KEPT.format(reason=found.why_not), severity=Severity.NOTE)


def respelled(rule: Rule, found: Finding, message: str, title: str) -> Diagnostic:
    """The diagnostic of a hard-coded use of CUDA. title: of the fix, with a field for the device."""
    device = found.device if len(found.device) <= 60 else "device"
    return report(rule, found, message, title.format(device=device))
