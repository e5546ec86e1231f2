"""Take a tensor to the CPU before numpy reads it.

Why:
    numpy reads the memory of the host. A tensor of a device refuses: "can't convert cuda:0 device
    type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."

Severity:
    An error where the tensor is shown to lie on a device. A warning where only the function's other lines say that it may.

Fix safety:
    Safe: `.cpu()` is written before `.numpy()`, or at the argument of `np.asarray` and `np.array`;
    a tensor on the CPU returns itself, and shares its memory with the array as before. Reported
    only where the tensor is proven to lie on the device the script places things on, or where the function itself
    takes it to lie anywhere: it copies it, or what it computes with it, to the CPU elsewhere, or makes something
    where it lies (`device=x.device`). No
    `.detach()` is added: what needs it fails on the CPU too.

Example:
    scores = model(x.to(device))          scores = model(x.to(device))
    all.append(scores.numpy())        ->  all.append(scores.cpu().numpy())
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF310
from placefix.rules.common import misplaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    if facts.framework:
        return
    seen = set()
    for found in facts.stays.read_on_host("numpy"):
        seen.add(found.span)
        yield misplaced(
            PF310, found, "numpy reads this tensor, and it lies on a device", "take the tensor to the CPU first"
        )
    for found in facts.twins.numpy():
        if found.span not in seen:
            text = "numpy reads this tensor as it is, and the function takes it to lie anywhere"
            yield misplaced(PF310, found, text, "take the tensor to the CPU first")
    for found in facts.stays.read_on_host("numpy list"):
        yield misplaced(PF310, found, "numpy reads this list, and its tensors lie on a device", "")
