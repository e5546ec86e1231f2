"""Make a tensor where the input of the module lies.

Why:
    Factories like torch.zeros make tensors on the CPU. Made in `forward`, or in a function that it
    calls, and added to, concatenated with or used to mask what came in, they raise "Expected all
    tensors to be on the same device" as soon as the module runs anywhere else.

Severity:
    An error: the code fails on every device but the CPU. A warning where nothing fails as the file stands: it runs its own modules
    and places nothing, or a private function makes the tensor only for a parameter that no call gives. A warning also where
    the tensor is only handed to a layer that may take it from the CPU, where all callers of a function hand it what they have taken to
    the CPU, where nothing that uses a class of a function's own places anything, and where nothing in the repository uses the class.

Fix safety:
    Safe where the tensor, which must have a dimension, meets something at hand (`x`, a weight, what was
    computed from them) on every path that leaves the function, in an operation that refuses tensors of
    unlike devices: wherever the program ran to its end both lay on one device, so `device=x.device` changes
    nothing there. A `for` loop is taken to run once. Random tensors, and those of factories that take
    no device (torch.from_numpy), get `.to(x.device)`: on the device other numbers would be drawn.
    So does the call of a helper that makes the tensor and has nothing at hand.
    Unsafe, with the premise, where it meets `x` on some paths only, where other callers of a helper may want it
    elsewhere, or where it is handed to a layer that may not need it (masks of Transformers). Silent
    for 0-dim tensors and indices, which may come from the CPU, for `*_like` and `new_*`, in files that set a
    default device or tensor type, and for modules that place their own parts.

Example:
    def forward(self, x):                  ->  def forward(self, x):
        steps = torch.arange(x.size(1))            steps = torch.arange(x.size(1), device=x.device)
        return x + self.time(steps)                return x + self.time(steps)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF304
from placefix.rules.common import stray

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    for found in facts.strays.creations():
        if found.what == "created":
            text = f"`{found.name}` makes a tensor on the CPU that is used with `{found.beside}`"
            yield stray(PF304, found, text, f"make it where `{found.beside}` lies")
