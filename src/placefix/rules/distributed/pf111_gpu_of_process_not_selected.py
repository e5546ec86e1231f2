"""Report distributed runs in which every process uses the first GPU.

Why:
    `.cuda()` and `"cuda"` without a number are the current GPU, which is cuda:0 in each process until
    `torch.cuda.set_device(local_rank)` selects another. Without it all processes of a machine put their module there, and NCCL
    refuses two processes on one GPU ("Duplicate GPU detected"). With `device_ids=[local_rank]` the wrapper moves the inputs to another
    GPU than the module is on, and its forward raises in every process but the first.

Severity:
    An error with `device_ids` of a rank. A warning without: the program that starts the processes may set CUDA_VISIBLE_DEVICES for each.
    Reported only if all process groups of the file are of NCCL, the module is on the current GPU, and no file of the repository that
    may run with this one selects a GPU (`set_device`, `device_id=`, CUDA_VISIBLE_DEVICES) by a value that may differ between the processes.
    A literal number is the same in all.

Fix safety:
    There is no fix. `torch.cuda.set_device(local_rank)` belongs before everything that is placed, and the rank may have to be read first.

Example:
    dist.init_process_group("nccl")  # torch.cuda.set_device(int(os.environ["LOCAL_RANK"])) after it
    model = DistributedDataParallel(Net().cuda())
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF111, messages
from placefix.rules.common import report
from placefix.rules.distributed.current_gpus import CurrentGpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report wraps by DistributedDataParallel of modules on the first GPU in every process."""
    if context.tree.framework:
        return
    for found in context.get(CurrentGpus).unselected():
        text = messages.PF111_IDS.format(given=found.given) if found.given else messages.PF111
        yield report(PF111, found.finding, text)._replace(note=messages.PF111_NOTE)
