"""Report a checkpoint that every process of a distributed run saves to the same file.

Why:
    All processes open the file, empty it and write to it at the same time. A process that reads the file then, finds a broken one: 19 of
    120 loads right after the save raised in a test with two processes. If the states differ (the loss of each process, the state of
    its generator), the file stays broken: 26 of 120.

Severity:
    A warning: with equal states the file is whole once all have written it. Reported if `torch.save` runs after the process group has
    been started, whatever the rank is, and if its path is made of literals, numbers of loops, options of the command line, and
    parameters and attributes with such values.
    Not reported under a test that may be about the rank, in a function that other code may call, or if the path may have the
    rank in it.

Fix safety:
    There is no fix. On machines without a common disk each needs the file, so `if local_rank == 0:` may be meant; and a state that is
    collected from all processes, as that of FSDP, has to be made in all of them.

Example:
    dist.init_process_group("nccl")
    model = train(DistributedDataParallel(Net().to(device)))
    torch.save(model.module.state_dict(), "net.pt")  # under `if dist.get_rank() == 0:`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF416, messages
from placefix.rules.common import report
from placefix.rules.distributed.concurrent_saves import ConcurrentSaves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report calls of `torch.save` that every process makes with the same path."""
    if context.tree.framework:
        return
    for found in context.get(ConcurrentSaves).found():
        text = messages.PF416.format(row=found.row)
        yield report(PF416, found.finding, text)._replace(note=messages.PF416_NOTE)
