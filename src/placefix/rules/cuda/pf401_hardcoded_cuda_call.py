"""Move tensors and modules to a device instead of calling `.cuda()`.

Why:
    `.cuda()` raises on a machine without CUDA: the program cannot be tried, tested or debugged
    there, nor run on another vendor's accelerator. `.to(device)` does the same on a CUDA machine
    and works everywhere.

Fix safety:
    Safe by default: the device is CUDA exactly where the call was, and what is moved is a tensor or a module of torch.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | a device in scope that is CUDA if available | safe | on a CUDA machine nothing changes |
    | a device that follows the script's flag, where what is moved meets what lies on the CPU without the flag | safe | without the flag the program would have raised |
    | the same, where they do not meet | unsafe | without the flag it went to the GPU |
    | a device that follows a flag for something else (`offload_cpu`), or a flag that nothing is placed under | safe, another device | that flag has no say in it |
    | no device in scope: a new definition | safe | it has no index, so it stays the current device under `torch.cuda.set_device` |
    | a parameter or attribute of unknown value (`device`, `self.device`), or the device of a parameter (`x.device`), where the two meet in an operation | safe | on another device the program would have raised |
    | `.cuda(rank)` after `torch.cuda.set_device(rank)`; `.cuda(x.get_device())` | safe | the number is the current GPU, or where `x` lies |
    | the same without an operation where they meet | unsafe | the device may not be the GPU |
    | a device in scope that is `cuda:0`, where another file of the repository chooses the current GPU | unsafe | the two may differ |
    | nothing shows that the receiver is a tensor or a module of torch | unsafe | an object of another class may have no `.to` |
    | it may be an instance of a class of the repository with a `.cuda()` of its own and no `.to()` that does as well | unsafe | `.train()`, `.eval()`, `.parameters()` and calls prove nothing of it |
    | a file that places everything on one GPU by a number that is an int by default (`.cuda(args.gpu)`) | unsafe | the number may be None; the device keeps it |
    | a function named for moving to CUDA (`to_cuda(batch)`) | unsafe | without CUDA its result stays on the CPU |
    | a comment behind the call gives a reason for CUDA (`# use cuda to match …`) | unsafe | CUDA may be meant |
    | what a function is given on one way, makes on CUDA on another, and hands on | unsafe | without CUDA nothing shows where its users want it |
    | a function that still needs CUDA after all fixes, and no device in scope | no fix | half converted it would only look portable; unsafe where only unsafe fixes remove that need |
    | any other index; several GPUs; a framework that places things | no fix | the order of devices is not the script's to decide, or may be meant |
    | a receiver with a `.cuda()` of its class; a `try` whose handler is the way without a GPU | no fix | it is right |
    | the method `.cuda()` of a class | note | it is for CUDA, and stays |

    A new definition stands at the module level, once, where code there or several functions of a script need it: after the imports, after
    `CUDA_VISIBLE_DEVICES` is written and after the flag it honours is known. It stands inside the function where one function alone
    needs it, in library files (importing a file must not ask for CUDA) and in files that fork processes (a child cannot use CUDA once its parent asked for it), or that are imported by
    files which fork or write `CUDA_VISIBLE_DEVICES` after their imports.

    What is filled with the same values on any device is made where it goes: `torch.zeros(n).cuda()` becomes `torch.zeros(n, device=device)`;
    what draws random numbers is moved, or it would draw others. A comment that says in a few words that something goes to the GPU says device.

Example:
    x, y = x.cuda(), y.cuda(non_blocking=True)
    ->
    x, y = x.to(device), y.to(device, non_blocking=True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF401, messages
from placefix.rules.common import kept, respelled
from placefix.rules.cuda.kept import Kept
from placefix.rules.cuda.respell import Respell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    for found in context.get(Respell).calls():
        yield respelled(PF401, found, messages.PF401.format(what=found.what), messages.PF401_FIX)
    for found in context.get(Kept).functions("cuda"):
        yield kept(PF401, found, messages.PF401_KEPT)
