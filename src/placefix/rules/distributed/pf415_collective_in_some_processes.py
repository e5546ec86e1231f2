"""Report collectives that only some processes call.

Why:
    A collective such as `torch.distributed.barrier()` or `all_reduce` returns when every process of the group has called it. Under
    `if rank == 0:` the other processes never call it: process 0 waits until the timeout (10 minutes with NCCL, 30 with gloo) and then
    fails, or it meets the next collective of the others, which is another one.

    `loss.backward()` is such a call if DistributedDataParallel computed the loss: it averages the gradients of all processes.

Severity:
    An error if the code shows the rank: `dist.get_rank()`, `os.environ["LOCAL_RANK"]`, names and functions for them. A warning if it is
    known by its name alone (`args.rank`). Not reported if other processes may call a collective in the same function (the pairs of
    `barrier` around a download), if a `group` is given, or under any test that is not about the rank.

Fix safety:
    There is no fix. The call belongs outside the test; the tensors that it sends have to exist in every process then.

Example:
    if dist.get_rank() == 0:
        save(model)
        dist.barrier()  # one level too deep
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF415, messages
from placefix.rules.common import report
from placefix.rules.distributed.partial_collectives import PartialCollectives

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report collectives under a test of the rank."""
    if context.tree.framework:
        return
    for found in context.get(PartialCollectives).found():
        who = messages.PF415_FIRST if found.first else messages.PF415_OTHERS
        own = messages.PF415_BACKWARD if found.name == "backward" else messages.PF415
        template = messages.PF415_IN if found.function else own
        text = template.format(name=found.name, function=found.function, who=who)
        yield report(PF415, found.finding, text)._replace(note=messages.PF415_NOTE)
