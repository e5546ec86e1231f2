"""Place no float64 on MPS.

Why:
    Apple's MPS has no float64. Where the device of a script is MPS, placing a tensor or module of float64 raises "TypeError: Cannot convert a MPS
    Tensor to float64 dtype as the MPS framework doesn't support float64. Please use float32 instead." On CUDA and on the CPU nothing fails.

Severity:
    An error where the code names MPS as a device: it raises on a Mac. A warning for a device of torch.accelerator, which is MPS only on a Mac.

Fix safety:
    There is no fix. float32 computes other numbers on every machine.

    Reported are tensors and modules whose dtype the code shows: `dtype=torch.float64`, `.double()`, arrays that numpy makes as float64. A file that
    compares a device with "mps" is not reported.

Example:
    device = torch.device("mps" if torch.backends.mps.is_available() else "cpu")
    x = torch.zeros(3, dtype=torch.float64).to(device)
    ->
    x = torch.zeros(3, dtype=torch.float32).to(device)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts import reasons
from placefix.rules import PF317, messages
from placefix.rules.common import not_fixed, report
from placefix.rules.tensors.float64 import Float64

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report values of type float64 that are placed on a device that may be MPS."""
    for found in context.get(Float64).placed():
        device = messages.PF317_NAMED.format(name=found.device) if found.device else messages.PF317_MPS
        what = f"`{found.what}`" if found.what else messages.PF317_LONG
        message = messages.PF317.format(what=what, device=device)
        yield report(PF317, found, message)._replace(note=not_fixed(reasons.OTHER_NUMBERS))
