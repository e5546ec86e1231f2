"""Move a tensor the script makes to the device of what consumes it.

Why:
    Factories like torch.randn make tensors on the CPU. Fed to a placed module, or mixed with
    a tensor on a device, they raise "Expected all tensors to be on the same device". So they do where
    they are indexed by a tensor of a device, and where a distribution is made of them.

Severity:
    An error: the operation raises. A warning where the module that the tensor is fed to is not known and may move its inputs, and
    where the evidence is that the function moves a tensor of the same kind.

Fix safety:
    Safe when the tensor has one creation and every use is one that may run on the device:
    `.to(device)` is appended to the creation. Not `device=`: random numbers drawn on the
    device differ from those drawn on the CPU and moved. A creation in another function or
    method of the file is followed, if every use of what it makes may run on the device. Where
    the tensor is needed on the CPU as well, or keeps its gradient (`requires_grad`: what is moved
    keeps none), the move is written at the use. Silent for 0-dim tensors, which mix with those
    of other devices, for tensors that modules keep as attributes (they want to be buffers), and
    where a default device or a framework is at work.
    What a function makes and uses with a tensor that it is given goes where that lies (`.to(targets.device)`), which is right for every
    caller. Unsafe where what it is given does not say so, and not every call is seen to hand over what lies on the device: a method
    that is more than called, a function that another file may import.
    Unsafe, with the premise, where a function moves one of two tensors that it unpacks in one statement, or makes in the same
    words, and the other one meets it: what it meets, or the module that it is fed to, shows that it was forgotten.
    So it is for the tensors of a distribution, where what is indexed is moved itself, and for what is fed to a
    module of which only its placement is known.

Example:
    x = torch.randn(64, 10)  ->  x = torch.randn(64, 10).to(device)
    y = model.to(device)(x)      y = model.to(device)(x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF302
from placefix.rules.common import misplaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    if facts.framework:
        return
    said: set[str] = set()
    for found in facts.host_tensors.misplaced() if facts.makes_tensors else ():
        said.update(name.partition(".")[0] for name in found.names)
        yield misplaced(PF302, found, "the tensor stays on the CPU", "move the tensor to the device")
    for found in facts.priors():
        said.update(name.partition(".")[0] for name in found.names)
        problem = "a distribution is made of it on the CPU, and meets tensors of a device"
        yield misplaced(PF302, found, problem, "move what it is made of")
    for found in facts.fellows.forgotten():
        if not said.intersection(found.names):
            yield misplaced(PF302, found, "it stays where it is, and meets its like, which is moved", "move it as well")
