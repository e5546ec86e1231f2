"""Report DataParallel in a process of a distributed run.

Why:
    After `torch.distributed.init_process_group` each process trains its part of the data, and the processes have to average their
    gradients. `DistributedDataParallel` does that. `nn.DataParallel` does not: it copies the module to the GPUs of the process, so that
    each process trains a separate model, and each uses the GPUs of all others. If the module is on the GPU of its process
    (`.to(rank)`), the forward raises in every process but the first, because DataParallel expects the module on its first GPU.

Severity:
    An error if the process group is started on every path to the wrap and the file trains: with two or more processes the models differ.
    A warning if a collective of the file may average the gradients, if nothing in the file trains, or if the file also has a wrap by
    DistributedDataParallel, which the distributed runs may use.
    A group with `world_size=1` is not reported.

Fix safety:
    There is no fix. `DistributedDataParallel(model, device_ids=[rank])` also needs a sampler for each process and checkpoints by one process.

Example:
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    model = nn.DataParallel(Net().to(rank))  # DistributedDataParallel(Net().to(rank), device_ids=[rank])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Severity
from placefix.rules import PF107, messages
from placefix.rules.ordering.process_groups import ProcessGroups

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report wraps by DataParallel after a process group is started."""
    if context.tree.framework:
        return
    for found in context.get(ProcessGroups).replicated():
        text = messages.PF107.format(row=found.row)
        severity = Severity.ERROR
        if found.by_rank:
            text += messages.PF107_FIRST_GPU
        elif not found.trained:
            text, severity = text + messages.PF107_NOT_TRAINED, Severity.WARNING
        elif found.ddp:
            text, severity = text + messages.PF107_DDP, Severity.WARNING
        elif found.reduces:
            text, severity = text + messages.PF107_REDUCES, Severity.WARNING
        yield PF107.diagnostic(context.span(found.wrap.node), text, note=messages.PF107_NOTE, severity=severity)
