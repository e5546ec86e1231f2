"""Report `volatile=True`, which has no effect.

Why:
    Until torch 0.3, `Variable(x, volatile=True)` kept torch from recording gradients. Since torch 0.4 it has no effect but a warning:
    an evaluation that relies on it keeps the graph of every batch, and may run out of GPU memory. `with torch.no_grad():` is its
    replacement.

Severity:
    Style: the results are the same.

Fix safety:
    There is no fix: `with torch.no_grad():` has to be around the code that computes with the tensor.

Example:
    x = Variable(x, volatile=True)
    y = net(x)  # with torch.no_grad(): y = net(x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF408, messages
from placefix.rules.cuda.volatile_variables import VolatileVariables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report variables that are made volatile."""
    for span in context.get(VolatileVariables).made():
        yield PF408.diagnostic(span, messages.PF408, note=messages.PF408_NOTE)
