"""Remove suppressions that suppress nothing.

Why:
    A comment such as `# placefix: ignore[PF401]` stays after the code has changed. It then hides the next finding on its line.
    A code that no rule has never suppresses anything.

Fix safety:
    Safe by default: only comments change.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | a code that suppresses nothing | safe | the code is removed; with the last code the whole suppression and its reason, and the line if nothing else is on it |
    | other comments, and codes of other tools in `# noqa: …` | unchanged | they are not placefix's |
    | a code that no rule has | unsafe | it may be a misspelling |
    | a rule that did not run (`--select`, per-file-ignores) | not reported | it might have reported something |
    | a bare `# noqa` | not reported | other tools read it, too |
    | a notebook with a cell that cannot be parsed; standard input without a file name | not reported | not everything was checked |

    `# placefix: ignore[PF001]` keeps a suppression.

Example:
    model.to(device)  # placefix: ignore[PF401] one GPU
    ->
    model.to(device)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts.finding import fix_of
from placefix.facts.wording import unite
from placefix.rules import PF001, messages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext
    from placefix.facts.wording import Premise
    from placefix.source import Source
    from placefix.suppression import UnusedSuppression


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """No finding: unused suppressions are known only after all other rules have run (`check_suppressions`)."""
    return iter(())


def check_suppressions(source: Source, found: Iterable[UnusedSuppression]) -> Iterator[Diagnostic]:
    """Report suppressions that suppress nothing, with the fix that removes them."""
    for stale in found:
        codes = ", ".join(stale.codes)
        if stale.unknown:
            text = messages.PF001_NO_RULE.format(codes=codes)
            premise: Premise | None = premises.CODE_MISSPELLED
        else:
            text = messages.PF001.format(codes=codes) if codes else messages.PF001_BARE
            premise = None
        fix = fix_of((stale.edit,), f"remove {codes}" if codes else "remove it", unite(premise))
        yield PF001.diagnostic(stale.directive.span, text, fix=fix)
