"""Move tensors and modules to a device instead of calling `.cuda()`.

Why:
    `.cuda()` raises on a machine without CUDA: the program cannot be tried, tested or debugged
    there, nor run on another vendor's accelerator. `.to(device)` does the same on a CUDA machine
    and works everywhere.

Fix safety:
    Safe when the device is CUDA exactly where the call was: a device in reach that is
    CUDA if available (or under the script's own flag), the device of a tensor at hand in a
    module's methods and in library code, or a new definition, placed after the imports, after
    CUDA_VISIBLE_DEVICES is written and after the flag it honours is known, or first in the
    function where importing the file must not initialise CUDA. `device` has no index, so it
    stays the current device under `torch.cuda.set_device`.
    Unsafe when nothing shows that the receiver is a tensor or a module of torch, or when a
    parameter is only named like a device.
    No fix for an explicit index, in files that use several GPUs or a framework that places
    things itself, for receivers with a `.cuda()` of their own, and where the handler of a
    `try` is already the way without a GPU.

Example:
    x, y = x.cuda(), y.cuda(non_blocking=True)
    ->
    x, y = x.to(device), y.to(device, non_blocking=True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Rule, Severity
from placefix.rules.common import respelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    if not facts.says_cuda:
        return
    for found in facts.respell.calls():
        yield respelled(RULE, found, f"{found.what} works on CUDA machines only")


RULE = Rule(
    "PF401",
    "hardcoded-cuda-call",
    ".cuda() is called without asking whether there is CUDA",
    Severity.WARNING,
    ((b".cuda(", b"torch"),),
    check,
    __doc__,
)
