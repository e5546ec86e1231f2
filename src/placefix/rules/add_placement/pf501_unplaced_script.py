"""Place a script that places nothing. Off without `--add-placement`, because nothing is broken.

Why:
    A script that names no device trains on the CPU of every machine.

Fix safety:
    A device is defined after the imports, and every module with parameters is placed where it is made (or after the last of its parts is set).
    Batches, tensors, criteria with weights and tensors read by numpy follow by their own rules (PF301, PF302, PF304, PF307, PF308, PF310) in the
    same run. placefix tries the whole result first.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | every rule's fix is safe, and the analysis then shows every module, input, target and operand on the device | safe | files written by `torch.save` then name that device |
    | the device of something is not shown | unsafe | the premise names the first such place |
    | something is shown to stay on the CPU | no fix | the result would raise |
    | a script that names a device or GPU, moves anything, uses a framework or starts processes | not reported | it places things already |

Example:
    model = Net()         ->  device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    for x, y in loader:       model = Net().to(device)
        out = model(x)        for x, y in loader:
                                  x = x.to(device)
                                  out = model(x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF501, messages
from placefix.rules.add_placement.unplaced_scripts import Unplaced
from placefix.rules.add_placement.unproven_placement import UnprovenPlacement
from placefix.rules.common import report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext
    from placefix.facts.wording import Doubt


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report a script without any placement, with the fix that places its modules and batches; only with `--add-placement`."""
    found = context.get(Unplaced).script() if context.settings.add_placement else None
    if found is not None:
        names = " and ".join(f"`{name}`" for name in found.names)
        yield report(PF501, found, messages.PF501, messages.PF501_FIX.format(names=names))


def validate(context: AnalysisContext) -> Iterator[tuple[bool, Doubt]]:
    """The unproven parts of the script after the fix and all fixes that follow: pairs of (proven error?, reason)."""
    for doubt in context.get(UnprovenPlacement).all():
        yield doubt.wrong, doubt.why
