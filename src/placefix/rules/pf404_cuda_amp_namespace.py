"""Use torch.amp instead of torch.cuda.amp.

Why:
    The names in torch.cuda.amp are deprecated since torch 2.4 and warn at every use;
    torch.amp has the same things and takes the device type as an argument.

Fix safety:
    Safe: `torch.cuda.amp.autocast(…)` is `torch.amp.autocast("cuda", …)` (from torch 1.10 on),
    `torch.cuda.amp.GradScaler(…)` is `torch.amp.GradScaler("cuda", …)` (2.3), `custom_fwd` and
    `custom_bwd` take `device_type="cuda"` (2.4). Only what `target-torch` allows is rewritten.
    Arguments by position get their names where the order differs. An import changes together
    with all calls of what it imports, or not at all.

Example:
    with torch.cuda.amp.autocast(enabled=use_amp):
    ->
    with torch.amp.autocast("cuda", enabled=use_amp):
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Fix
from placefix.rules import PF404

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    for use in facts.amp.uses():
        fix = Fix(use.edits, "use torch.amp") if use.edits else None
        note = f"not fixed: {use.why_not}" if use.why_not else ""
        yield PF404.diagnostic(
            use.span, f"`{use.name}` is deprecated since torch 2.4 in favour of torch.amp", fix=fix, note=note
        )
