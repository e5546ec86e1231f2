"""Loads of checkpoints in files that fixes convert to devices.

A file whose modules go to the CPU without CUDA still fails there if a checkpoint of a GPU is loaded without a location. Where the fix that
gives it one rests on a premise, another one rests on none: it gives none where there is CUDA. The same in a file that no fix converts
would be noise: its maintainers would rather read the CPU there, or a device of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Applicability
from placefix.facts.context import FileAnalysis
from placefix.facts.finding import fix_of
from placefix.rules import messages
from placefix.rules.cuda.remaining_cuda import Needs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.diagnostic import Diagnostic

# The rules whose fixes make hard-coded uses of CUDA go to a device.
_CONVERTING = frozenset(("PF401", "PF402", "PF403", "PF407"))


class ConvertedLoads(FileAnalysis):
    """Answers for one file."""

    def settled(self, found: Sequence[Diagnostic]) -> list[Diagnostic]:
        """The findings of a file, as `Needs` has settled them, with a safe fix for each load if safe fixes convert the file."""
        exact = {n: other for n, d in enumerate(found) if (other := self._exact(d)) is not None}
        if not exact or not any(d.code in _CONVERTING and _is_safe(d) for d in found):
            return list(found)
        again = self.context.get(Needs).settled([exact.get(n, d) for n, d in enumerate(found)])
        return [again[n] if n in exact and _is_safe(again[n]) else d for n, d in enumerate(found)]

    def _exact(self, finding: Diagnostic) -> Diagnostic | None:
        """The finding with the fix that changes nothing where there is CUDA; None if it has none, or needs none."""
        fix = finding.fix
        if fix is None or fix.applicability is not Applicability.UNSAFE:
            return None
        known = self.context.exact_locations
        edit = next((edit for edit in fix.edits if edit in known), None)
        if edit is None:
            return None
        exact, others = known[edit]
        if not {key for key, _ in fix.premises} <= {premise.key for premise in others}:
            return None
        location = exact.text.removeprefix(", ")
        return finding._replace(fix=fix_of((exact,), messages.PF405_FIX.format(device=location)))


def _is_safe(finding: Diagnostic) -> bool:
    return finding.fix is not None and finding.fix.applicability is Applicability.SAFE
