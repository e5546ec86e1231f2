"""Choose the device instead of naming "cuda".

Why:
    `.to("cuda")`, `device="cuda"`, `map_location="cuda"` and `torch.device("cuda")` raise on a
    machine without CUDA, like `.cuda()` does. So does `y.to(x.get_device())`: for a tensor of the CPU the answer is -1.

Fix safety:
    Safe: an argument becomes the device in reach (or a new definition, see PF401); a
    definition such as `device = torch.device("cuda")` keeps its name and gets its choice:
    `torch.device("cuda" if torch.cuda.is_available() else "cpu")`.
    Unsafe when the argument goes to a callable that may insist on a string; for a definition before
    CUDA_VISIBLE_DEVICES is written, which counts for nothing once it was asked whether there is CUDA; and
    at the module level of a file that forks processes: those of a parent that has asked cannot use CUDA.
    "cuda:0" is respelled only where nothing else in the file selects a GPU, "cuda:1" and
    the like never: such a definition gets its choice as an unsafe fix. Defaults of command line options are left alone: their user can say
    otherwise. The default `device=torch.device("cuda")` of a parameter becomes None, and the
    function chooses; unsafe, for somebody may read the default. Where that cannot be, a note says so.
    `x.get_device()` becomes `x.device` where it stands as a device, or its name is used for nothing else, and
    something else shows that `x` is a tensor.
    Unsafe where the device at hand may be None, or a test stands around that may ask anything, and the lines beside
    name one device.

Example:
    model.to("cuda")
    ->
    model.to(device)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF402
from placefix.rules.common import kept, respelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    for found in facts.respell.literals():
        yield respelled(PF402, found, f"{found.what} names a device that only CUDA machines have")
    for found, _ in facts.beside.guarded((), "argument"):
        yield respelled(
            PF402, found, f"{found.what} names a device that only CUDA machines have, the lines beside it do not"
        )
    for found in facts.respell.numbers():
        yield respelled(
            PF402, found, f"{found.what} is the number of a GPU: of a tensor of the CPU it is -1, which is no device"
        )
    for found in facts.kept.functions("to", "argument"):
        yield kept(PF402, found, "this is for CUDA: it uses no other device")
    for found in facts.respell.defaults():
        say = respelled if found.edits else kept
        yield say(PF402, found, f"{found.what} is a device that only CUDA machines have")
