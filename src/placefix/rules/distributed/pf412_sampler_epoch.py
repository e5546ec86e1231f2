"""Report a distributed sampler that is missing or not told the epoch, and a loader that shuffles beside a sampler.

Why:
    A `DistributedSampler` shuffles with a seed that it makes of its argument `seed` and the number of the epoch, so that all processes
    draw the same order. Without `sampler.set_epoch(epoch)` this number stays 0: each epoch has the same order and the same batches.

    Without a sampler each process of a DistributedDataParallel trains on all of the data, not on its part: an epoch takes as long as with
    one process, and has each item once for each process.

    A `DataLoader` with a sampler and `shuffle=True` raises "sampler option is mutually exclusive with shuffle".

Severity:
    A warning about the epochs: the script trains, but without shuffling. Reported only if an optimizer steps in the loop over the
    batches, if a loop over numbers is around it, and if the file nowhere calls `set_epoch`. Samplers with `shuffle=False` are not meant.
    A warning about a missing sampler: the script trains, but more processes make it no faster. Reported only if the
    loader has no sampler on any path, its data set is of a known class with items by index, and nothing that makes the data mentions a
    rank or the number of processes, or draws random numbers.
    An error about `shuffle=True`.

Fix safety:
    The call of `set_epoch` is unsafe: it changes the order of the batches, and so the numbers. `shuffle=False` is safe, because
    the line raised whenever it ran. A missing sampler is not added, because the order of the batches and their number change.

Example:
    for epoch in range(10):
        for x, y in DataLoader(data, sampler=sampler):  # sampler.set_epoch(epoch) before it
            train(x, y)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Severity
from placefix.rules import PF412, messages
from placefix.rules.common import report
from placefix.rules.distributed.sampler_epochs import SamplerEpochs
from placefix.rules.distributed.whole_loaders import WholeLoaders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report samplers without `set_epoch`, and loaders that shuffle beside a sampler."""
    if context.tree.framework:
        return
    samplers = context.get(SamplerEpochs)
    for found in samplers.untold():
        text = messages.PF412.format(loop=found.loop)
        yield report(PF412, found.finding, text, messages.PF412_FIX)
    for whole in context.get(WholeLoaders).found():
        yield report(PF412, whole, messages.PF412_WHOLE)._replace(note=messages.PF412_WHOLE_NOTE)
    for shuffled in samplers.shuffled():
        yield report(PF412, shuffled, messages.PF412_SHUFFLE, messages.PF412_SHUFFLE_FIX)._replace(
            severity=Severity.ERROR
        )
