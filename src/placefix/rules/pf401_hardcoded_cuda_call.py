"""Move tensors and modules to a device instead of calling `.cuda()`.

Why:
    `.cuda()` raises on a machine without CUDA: the program cannot be tried, tested or debugged
    there, nor run on another vendor's accelerator. `.to(device)` does the same on a CUDA machine
    and works everywhere.

Fix safety:
    Safe when the device is CUDA exactly where the call was: a device in reach that is
    CUDA if available (or under the script's own flag), the device of a parameter that what is placed meets in
    a module's methods and in library code, or a new definition. It stands at the module level,
    once, where code of the module level or several functions of a script need it: after the
    imports, after CUDA_VISIBLE_DEVICES is written and after the flag it honours is known.
    Where one function alone needs it, and in library files (no `__main__`, nothing parsed,
    built or trained at the module level) it stands in each function: importing a file must
    not ask for CUDA. So it does in a file that forks processes: once their parent has asked for CUDA
    they cannot use it. `device` has no index, so it stays the current device under
    `torch.cuda.set_device`.
    A parameter or attribute of unknown value (`device`, `self.device`) is safe where what is
    placed meets something that lies on it: on another device the program would have raised.
    Unsafe when nothing shows that the receiver is a tensor or a module of torch, and when
    nothing shows that such a parameter or attribute is the GPU. Unsafe also where a file places
    everything on one GPU by a number that is an int by default (`.cuda(args.gpu)`): the device keeps it.
    Unsafe in a function that is named for moving what it is given to CUDA (`to_cuda(batch)`): without CUDA
    that now stays on the CPU. What a class offers as `.cuda()` is for CUDA, and stays: a note says so.
    A number that `torch.cuda.set_device` was given before names the current GPU (`.cuda(rank)`): safe; so is
    where a tensor lies (`.cuda(x.get_device())`).
    Where a function still needs CUDA when all is done (a GPU by its number, NCCL, an exit, anything that is refused) no device
    is defined in it for the rest, which says so; a device in scope is used. Where only unsafe fixes take that need away the rest is
    unsafe, too.
    No fix for any other index, in files that use several GPUs or a framework that places things
    itself, for receivers with a `.cuda()` of their own, and where the handler of a `try` is already
    the way without a GPU.

Example:
    x, y = x.cuda(), y.cuda(non_blocking=True)
    ->
    x, y = x.to(device), y.to(device, non_blocking=True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF401
from placefix.rules.common import kept, respelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    for found in facts.respell.calls():
        yield respelled(PF401, found, f"{found.what} works on CUDA machines only")
    for found in facts.kept.functions("cuda"):
        yield kept(PF401, found, "this is for CUDA: it uses no other device")
