"""Report a trace that keeps the device of its example.

Why:
    `torch.jit.trace` records the operations of one call. `torch.ones(n, device=x.device)` in `forward` is recorded with the device that
    the example had: the tensor is made there in every run of the trace. If the trace is saved and loaded on another machine, or moved,
    it meets an input on another device, and the call raises "Expected all tensors to be on the same device".
    `x.new_ones(n)` and `torch.ones_like(x)` are recorded without a device, and `torch.jit.script` does not record but compile.

Severity:
    A warning: the trace fails only where it runs on another device. A trace that the file neither saves nor moves is not reported.

Fix safety:
    There is no fix. Another spelling of the tensor, or a script in place of the trace, is for the author to choose.

Example:
    mask = torch.ones(n, device=x.device)  # in forward: x.new_ones(n)
    torch.jit.trace(model, x).save("model.pt")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF318, messages
from placefix.rules.tensors.traced_devices import TracedDevices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report traces with tensors that stay on the device of the example."""
    for span, made in context.get(TracedDevices).kept():
        yield PF318.diagnostic(span, messages.PF318.format(made=made), note=messages.PF318_NOTE)
