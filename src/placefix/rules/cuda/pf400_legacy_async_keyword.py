"""Call the argument `non_blocking`, as torch has done since 0.4.

Why:
    `async` is a keyword since Python 3.7: a file with `x.cuda(async=True)` does not parse, so it
    runs nowhere and no other rule can read it.

Fix safety:
    Safe: the file could not be parsed before, and can be afterwards.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | the argument `async` of `.cuda`, `.to`, `.copy_` and `.type` | safe | all of them in the file change together; the other rules check the result in the same run of `apply` |
    | a file that would still not parse (a parameter named `async`, Python 2) | no fix | the file is reported and not changed |

Example:
    target = target.cuda(async=True)
    ->
    target = target.cuda(non_blocking=True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Replace
from placefix.facts.finding import fix_of
from placefix.rules import PF400, messages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext
    from placefix.source import Source


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """No finding: a file that can be parsed has no such argument (`recover_syntax`)."""
    return iter(())


def recover_syntax(source: Source) -> Iterator[Diagnostic]:
    """Report the arguments named `async` of torch's methods in a text that cannot be parsed."""
    from placefix.python2_syntax import async_arguments  # for files that do not parse only

    for span in async_arguments(source.text):
        fix = fix_of((Replace(span, "non_blocking", "async"),), messages.PF400_FIX)
        yield PF400.diagnostic(
            span,
            messages.PF400,
            fix=fix,
        )
