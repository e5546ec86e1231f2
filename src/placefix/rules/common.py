"""What several rules say in the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from placefix.diagnostic import Applicability, Fix, Severity
from placefix.rules import messages

if TYPE_CHECKING:
    from placefix.diagnostic import Diagnostic, Rule
    from placefix.facts.cuda.findings import Finding
    from placefix.facts.placement.misplaced import Misplaced
    from placefix.facts.placement.repairs import Repair
    from placefix.facts.placement.strays import Stray


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


def misplaced(rule: Rule, found: Misplaced, template: str, message: str, against: str = "") -> Diagnostic:
    """The diagnostic of a tensor that has to move. template: of `messages`, with names, is_are and against, which says where the
    other operand is; message: the title of the fix."""
    text = template.format(
        names=" and ".join(f"`{name}`" for name in found.names),
        is_are="is" if len(found.names) == 1 else "are",
        against=against or messages.AGAINST.get(found.what, messages.AGAINST["operand"]),
    )
    return _shown(rule, found, text, message)


def stray(rule: Rule, found: Stray, text: str, message: str) -> Diagnostic:
    """The diagnostic of a tensor that the code of a module makes on the CPU."""
    return _shown(rule, found, text, message)


def _shown(rule: Rule, found: Misplaced | Stray, text: str, message: str) -> Diagnostic:
    """The diagnostic of something that lies in the wrong place: an error where it is shown that something fails, a warning
    that says why not where it is in doubt."""
    severity = rule.severity
    if found.doubt:
        text, severity = f"{text}; {found.doubt}", Severity.WARNING
    if not found.edits:
        return rule.diagnostic(
            found.span, text, note=messages.NOT_FIXED.format(reason=found.why_not), severity=severity, met=found.met
        )
    applicability = Applicability.UNSAFE if found.premise else Applicability.SAFE
    fix = Fix(found.edits, message, applicability, found.premise)
    return rule.diagnostic(found.span, text, fix=fix, severity=severity, met=found.met)


def kept(rule: Rule, found: Finding, message: str) -> Diagnostic:
    """The diagnostic of what stays as it is, and is no fault: a note."""
    return rule.diagnostic(found.span, message, note=messages.KEPT.format(reason=found.why_not), severity=Severity.NOTE)


def respelled(rule: Rule, found: Finding, message: str, title: str) -> Diagnostic:
    """The diagnostic of a hard-coded use of CUDA. title: of the fix, with a field for the device."""
    if not found.edits:
        return rule.diagnostic(found.span, message, note=messages.NOT_FIXED.format(reason=found.why_not))
    applicability = Applicability.UNSAFE if found.premise else Applicability.SAFE
    note = messages.NOT_FIXED.format(reason=found.why_not) if found.shown else ""
    if found.shown:
        applicability = Applicability.DISPLAY
    device = found.device if len(found.device) <= 60 else "device"
    fix = Fix(found.edits, title.format(device=device), applicability, found.premise)
    return rule.diagnostic(found.span, message, fix=fix, note=note)
