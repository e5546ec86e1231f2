"""Remove suppressions that silence nothing.

Why:
    A comment such as `# placefix: ignore[PF401]` outlives what it was written for, and will silence the next finding
    on its line unread. A code that no rule has silences nothing from the start.

Fix safety:
    Safe: only the comment changes. The code goes, with the last of them the suppression and its reason, with that the line
    if nothing else stands on it; other comments stay, and so do the codes of other tools in `# noqa: …`. Unsafe for the
    code of no rule, which may be a misspelling. A code is judged only if every rule that it fits was asked: neither `--select`
    nor per-file-ignores make a suppression unused. Bare `# noqa` comments are for other tools as well and never
    judged; nor are notebooks with cells that cannot be parsed, and texts whose place is not known (standard input
    without a name). `# placefix: ignore[PF001]` keeps a suppression.

Example:
    model.to(device)  # placefix: ignore[PF401] one GPU
    ->
    model.to(device)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Applicability, Fix
from placefix.rules import PF001

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts
    from placefix.source import Source
    from placefix.suppress import Stale


def check(facts: Facts) -> Iterator[Diagnostic]:
    return iter(())  # what it is about is known when all other rules have been asked


def audit(source: Source, found: Iterable[Stale]) -> Iterator[Diagnostic]:
    for stale in found:
        codes = ", ".join(stale.codes)
        if stale.unknown:
            text = f"no rule has the code {codes}: the suppression silences nothing"
            premise = "the code may be a misspelling of another"
        else:
            text = f"the suppression of {codes} silences nothing" if codes else "the suppression silences nothing"
            premise = ""
        applicability = Applicability.UNSAFE if premise else Applicability.SAFE
        fix = Fix((stale.edit,), f"remove {codes}" if codes else "remove it", applicability, premise)
        yield PF001.diagnostic(stale.directive.span, text, fix=fix)
