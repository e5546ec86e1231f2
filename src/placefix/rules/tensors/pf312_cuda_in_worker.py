"""Report a data set that uses CUDA in the worker processes of its loader.

Why:
    With `num_workers` the loader starts processes, by default on Linux as forks. A fork cannot use CUDA if its parent has:
    `__getitem__`, or `collate_fn`, raises "Cannot re-initialize CUDA in forked subprocess".

Severity:
    A warning: on other systems, and from Python 3.14 on, workers start without a fork. Reported if the items of the data set, or the
    batches that `collate_fn` makes of them, are on a GPU, if the number of workers is a literal or a name for one, and if the process has
    placed the data set or a module before the loop. Not
    reported where code of the repository chooses how processes start (`set_start_method`, `multiprocessing_context`).

Fix safety:
    There is no fix. The data set belongs on the CPU; `x = x.to(device)` in the loop moves each batch.

Example:
    model = Net().cuda()
    for x in DataLoader(Images(), num_workers=4):  # Images.__getitem__ returns image.cuda()
        model(x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF312, messages
from placefix.rules.common import report
from placefix.rules.tensors.device_batches import DeviceBatches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report loops over loaders whose workers use CUDA."""
    if context.tree.framework:
        return
    for found in context.get(DeviceBatches).in_workers():
        yield report(PF312, found, messages.PF312)._replace(note=messages.PF312_NOTE)
