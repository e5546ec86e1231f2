"""Use torch.amp instead of torch.cuda.amp.

Why:
    The names in torch.cuda.amp are deprecated since torch 2.4 and warn at every use;
    torch.amp has the same things and takes the device type as an argument.

Fix safety:
    Safe: each call does the same. Only names that `target-torch` has in torch.amp are rewritten.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | `torch.cuda.amp.autocast(…)` | safe, `torch.amp.autocast("cuda", …)` | from torch 1.12 on |
    | `torch.cuda.amp.GradScaler(…)` | safe, `torch.amp.GradScaler("cuda", …)` | from torch 2.3 on |
    | `custom_fwd`, `custom_bwd` | safe, `device_type="cuda"` | from torch 2.4 on |
    | arguments by position | safe | they get their names if the order differs |
    | one name of the file is newer than `target-torch` | none | the file does not mix torch.amp and torch.cuda.amp |
    | a use below a test of versions | none | it may be for a torch that has no torch.amp |
    | an import | safe | it changes together with all uses of the imported name, or not at all |
    | an annotation, `scaler: torch.cuda.amp.GradScaler` | safe | it names the new class, as the objects do |

Example:
    with torch.cuda.amp.autocast(enabled=use_amp):
    ->
    with torch.amp.autocast("cuda", enabled=use_amp):
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF404, messages
from placefix.rules.common import report
from placefix.rules.cuda.amp import Amp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report names of torch.cuda.amp that torch.amp has."""
    for found in context.get(Amp).uses():
        yield report(PF404, found, messages.PF404.format(name=found.what), messages.PF404_FIX)
