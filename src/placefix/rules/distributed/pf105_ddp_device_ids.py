"""Report DistributedDataParallel with device_ids that do not fit its module.

Why:
    `device_ids` of DistributedDataParallel is the one GPU of the process, and the module has to be on it. With several ids, or with a
    module on the CPU, the constructor raises a ValueError. If the module is on another GPU, the forward moves its inputs to the GPU of
    `device_ids` and raises there. `nn.DataParallel` is different: it takes several ids.

Severity:
    An error. A warning for `list(range(torch.cuda.device_count()))`, which works if each process sees one GPU, and for a module of an
    unknown class, whose constructor may place it.

Fix safety:
    Safe if the module is never placed and `device_ids` is one name: the module is moved to it, and the constructor raised whenever it
    ran. Unsafe if the class of the module is unknown. Several ids and two different numbers are not fixed: one of them is wrong.

Example:
    model = DistributedDataParallel(Net(), device_ids=[rank])  ->  DistributedDataParallel(Net().to(rank), device_ids=[rank])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF105, messages
from placefix.rules.common import report
from placefix.rules.distributed.ddp_devices import DdpDevices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report wraps by DistributedDataParallel whose `device_ids` do not fit."""
    if context.tree.framework:
        return
    devices = context.get(DdpDevices)
    for several in devices.several():
        yield report(PF105, several, messages.PF105_SEVERAL)
    for unplaced in devices.unplaced():
        yield report(PF105, unplaced, messages.PF105_CPU, messages.PF105_FIX)
    for found in devices.elsewhere():
        yield report(PF105, found.finding, messages.PF105_ELSEWHERE.format(held=found.held, given=found.given))
