"""Move the batch to the device of the module it is fed to.

Why:
    A loader yields tensors on the CPU. A module or loss on another device refuses them:
    "Expected all tensors to be on the same device". DataParallel, and
    DistributedDataParallel with `device_ids`, move their inputs themselves; the targets
    need the move in any case, because the loss is computed outside the wrapper.

Severity:
    An error: the call raises on every machine where the module is on a device. A warning where the data set is not known, because
    it may yield tensors of a device, and where the evidence is another loop of the file and the model itself is not seen.

Fix safety:
    Safe when the loader is proven to yield CPU tensors, the element is proven to be a tensor
    and nothing in the loop needs it on the CPU; then one line per name is inserted at the top
    of the loop, behind the moves that stand there. Where the element is needed on the CPU as
    well (numpy, list indices) the move is written at the use, and where the batch is unpacked
    in the body (`x = batch["x"]`) it is written there. A function that is given a trained model
    and no device gets `device = next(model.parameters()).device`. Unsafe, with the premise, where
    the data set is not known, where the function is given what lies on a device, and not every call is seen to give that, and
    where a loop moves the rest of the batch, and another loop of the file, which hands it to the same model in the same words, all of it. A batch that a function of another file leaves on the CPU is reported where
    the function is called. Nothing else is reported for loops over anything but a
    proven loader, nor where a helper, a collate function, a forward or a wrapper moves the batch.

Example:
    for x, y in loader:    ->  for x, y in loader:
        loss = f(net(x), y)        x = x.to(device)
                                   y = y.to(device)
                                   loss = f(net(x), y)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF301
from placefix.rules.common import WHERE, misplaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    if facts.framework:
        return
    said: set[str] = set()
    for found in facts.batches.misplaced():
        said.update(found.names)
        yield misplaced(PF301, found, "the batch stays on the CPU", "move the batch to the device")
    for found in facts.twin_loops.forgotten():
        if not said.intersection(found.names):
            text = "it stays on the CPU, another loop of the file moves it together with the rest of the batch"
            yield misplaced(PF301, found, text, "move all of the batch to the device")
    for beyond in facts.flow.beyond.values():
        text = f"what this calls leaves a batch on the CPU, {WHERE[beyond.what]} (`{beyond.file}`, line {beyond.row})"
        yield PF301.diagnostic(
            facts.span(beyond.call), text, note="not fixed: no text of another file is written from here"
        )
