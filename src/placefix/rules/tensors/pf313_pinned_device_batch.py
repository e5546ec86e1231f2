"""Report a loader that pins batches which are on a GPU.

Why:
    `pin_memory=True` copies each batch into memory of the CPU from which a GPU reads fast. A batch that is on the GPU cannot be pinned:
    the loop raises "cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned".

Severity:
    An error on machines with a GPU; without one the option has no effect. Reported if `pin_memory` is True and a tensor of the batch
    is on a GPU: the data set is made of placed tensors, or `__getitem__` or `collate_fn` places them.

Fix safety:
    There is no fix: either the data set stays on the CPU and the loop moves each batch, or the loader does without `pin_memory`.

Example:
    data = TensorDataset(x.cuda(), y.cuda())
    for x, y in DataLoader(data, pin_memory=True):  # without pin_memory
        model(x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF313, messages
from placefix.rules.common import report
from placefix.rules.tensors.device_batches import DeviceBatches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report loops over loaders that pin tensors of a GPU."""
    if context.tree.framework:
        return
    for found in context.get(DeviceBatches).pinned():
        yield report(PF313, found, messages.PF313)._replace(note=messages.PF313_NOTE)
