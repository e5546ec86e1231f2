"""Report `backward` on the losses that DataParallel returns for its GPUs.

Why:
    DataParallel gathers the results of its GPUs along the first dimension. A loss that `forward` reduces to one number comes back as a
    vector with a number for each GPU, and its `backward()` raises "grad can be implicitly created only for scalar outputs".
    With one GPU, or none, it is one number.

Severity:
    An error on machines with two or more GPUs. Reported if `forward` returns nothing but a loss of torch, `x.mean()` or `x.sum()`, and
    the result of the call keeps its name until `backward()`.

Fix safety:
    Safe: the mean or the sum of one number is that number, and with several `backward()` raised. A loss that is a sum gets `.sum()`, and
    one that is a mean `.mean()`, which is the mean of the batch if all GPUs have equally many items. A loss that adds means and sums is
    not fixed: neither is right.

Example:
    loss = model(x, y)  ->  loss = model(x, y).mean()
    loss.backward()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF414, messages
from placefix.rules.common import report
from placefix.rules.distributed.losses_per_gpu import LossesPerGpu

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report losses of DataParallel that are vectors."""
    if context.tree.framework:
        return
    for found in context.get(LossesPerGpu).found():
        name, reduction = found.names
        yield report(PF414, found, messages.PF414.format(name=name), messages.PF414_FIX.format(reduction=reduction))
