"""Report moves of a module under DistributedDataParallel, with training after them.

Why:
    DDP synchronises gradients by hooks on the accumulators of its parameters' gradients. A move to
    another device makes new accumulators, and moving back does not bring the old ones: from there
    on each process trains alone, without a message. `.cpu()` before saving and `.cuda()` after it
    is enough; where one process alone does it, the others wait for its gradients.

Severity:
    An error: from the move on the processes train different weights.

Fix safety:
    There is no fix. To save a checkpoint, copy the state instead of moving the module (`{k: v.cpu() for k, v in
    model.module.state_dict().items()}`); for anything else, wrap the module again.

    Reported is a move from a GPU to the CPU or to a GPU of another number, if the wrapper is called and an optimizer steps afterwards. Moves at
    the end of training are not reported.

Example:
    model = DDP(Net().to(rank), device_ids=[rank])
    for epoch in range(epochs):
        train(model)
        model.cpu()  # the processes no longer train together
        torch.save(model.state_dict(), path)
        model.to(rank)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts import reasons
from placefix.rules import PF106, messages
from placefix.rules.common import not_fixed
from placefix.rules.ordering.wrapper_violations import Wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report moves of a module to another device after its wrap by DDP."""
    if context.tree.framework:
        return
    for moved in context.get(Wrapped).moved_away():
        yield PF106.diagnostic(context.span(moved.node), messages.PF106, note=not_fixed(reasons.MOVED_UNDER_DDP))
