"""Say where a checkpoint is loaded to.

Why:
    Without `map_location`, `torch.load` puts every tensor back on the device it was saved from. A
    checkpoint of a GPU then cannot be read on a machine without CUDA ("Attempting to deserialize
    object on a CUDA device"), nor one of `cuda:3` on a machine with one GPU; and each process of a
    distributed program loads its own copy onto the GPU of the process that saved it.

Fix safety:
    Safe where what is loaded only goes into modules and optimizers of torch by `load_state_dict`,
    which copies to where they lie, be it in another dict that takes its values by name. A single
    module's weights are loaded to the device in reach,
    everything else to the CPU: the state of random generators must stay there.
    Unsafe when the receiver is not known to be such a module or optimizer, or when more is read
    of the checkpoint, which stays on the CPU then; and for what is moved whole as soon as it is loaded
    (`torch.load(path).to(device)`), or by the next statement that reads its name; so is an item of it, and so are moves by a `.cuda()` that
    can be respelled.
    No fix for `torch.jit.load`. Silent where a CUDA question or the handler of a `try` chooses
    between two ways of loading, and for whatever else is not loaded into a module: data, embeddings.

Example:
    model.load_state_dict(torch.load("best.pt"))
    ->
    model.load_state_dict(torch.load("best.pt", map_location=device))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF405
from placefix.rules.common import respelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    for found in facts.loads.unmapped():
        yield respelled(
            PF405, found, f"{found.what} without map_location needs the devices that the checkpoint was saved from"
        )
