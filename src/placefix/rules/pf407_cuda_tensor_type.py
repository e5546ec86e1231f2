"""Say where a tensor lies with a device, not with its type.

Why:
    `torch.cuda.FloatTensor` and the like raise on a machine without CUDA. The names are relics of
    torch before 0.4: a type says the element type and the place at once, and every new place would
    need types of its own.

Fix safety:
    Safe: values, element type and device on a CUDA machine are the same to the last bit.
    `torch.cuda.FloatTensor(values)` becomes `torch.FloatTensor(values).to(device)`; sizes alone make
    an uninitialised tensor as before, with `torch.empty`; `x.type(torch.cuda.FloatTensor)` becomes
    `x.to(device, torch.float32)`. A name such as `Tensor = torch.cuda.FloatTensor if cuda else
    torch.FloatTensor` goes with all its uses, or stays; the device is CUDA under the very same test.
    So does a guard whose other arm is the same by the types of the CPU.
    Unsafe where nothing shows that what is cast is a tensor, or that an only argument is none; and in a file
    without entry point where a caller hands in what is cast, which may lie on another GPU than the
    current one: `.type()` leaves it there.
    No fix for names that other files may import, or that are used in any other way.

Example:
    Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
    z = Tensor(np.random.normal(0, 1, (n, 100)))
    ->
    device = torch.device("cuda" if cuda else "cpu")
    z = torch.FloatTensor(np.random.normal(0, 1, (n, 100))).to(device)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Severity
from placefix.rules import PF407
from placefix.rules.common import kept, respelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    for found, flagged in facts.tensor_types.uses():
        if flagged:
            text = f"{found.what}: a tensor type says where tensors lie, which a device says once"
            yield respelled(PF407, found, text)._replace(severity=Severity.STYLE)
        else:
            yield respelled(PF407, found, f"{found.what} is a tensor type that only CUDA machines have")
    spoken = set()
    for guarded in facts.unguard.of_types():
        found = guarded.finding
        spoken.add(found.span.start)
        text = f"{found.what} only decides where tensors are made, which a device says once"
        yield respelled(PF407, found, text)._replace(severity=Severity.STYLE)
    for found in facts.kept.guards(spoken, forms=("tensor", "cast")):
        yield kept(PF407, found, f"{found.what} lets this run without CUDA, and uses no other accelerator")
