"""What several rules say in the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from placefix.diagnostic import Applicability, Fix

if TYPE_CHECKING:
    from placefix.facts.reorder import Repair


class Remedy(TypedDict):
    """The keyword arguments of `Rule.diagnostic` that say what can be done."""

    fix: Fix | None
    note: str


def remedy(repair: Repair, message: str, premise: str = "") -> Remedy:
    """A repair as a fix, or its refusal as a note. With a `premise` the fix is unsafe."""
    if not repair.edits:
        return {"fix": None, "note": f"not fixed: {repair.why_not}" if repair.why_not else ""}
    applicability = Applicability.UNSAFE if premise else Applicability.SAFE
    return {"fix": Fix(repair.edits, message, applicability, premise), "note": ""}
