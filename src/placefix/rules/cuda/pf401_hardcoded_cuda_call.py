"""Move tensors and modules to a device instead of calling `.cuda()`.

Why:
    `.cuda()` raises on a machine without CUDA: the program cannot be tried, tested or debugged
    there, nor run on another vendor's accelerator. `.to(device)` does the same on a CUDA machine
    and works everywhere. `.xpu()`, `.npu()` and `.hpu()` are the same for the accelerators of Intel, Ascend and Gaudi.

Fix safety:
    Safe by default: the device is CUDA exactly where the call was, and only tensors and modules of torch are moved.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | a device in scope that is CUDA if available | safe | on a CUDA machine nothing changes |
    | a device that follows the script's flag, and the moved tensor meets tensors that are on the CPU when the flag is off | safe | with the flag off the program would have raised |
    | the same, but nothing shows that they meet | unsafe | with the flag off it went to the GPU |
    | a device that follows a flag for something else (`offload_cpu`), or a flag that guards no placement | safe, another device | that flag does not decide this placement |
    | no device in scope: a new definition | safe | it has no index, so it is still the current device after `torch.cuda.set_device` |
    | a parameter or attribute of unknown value (`device`, `self.device`), or the device of a tensor (`x.device`) or of a layer of the module (`self.fc.weight.device`), where the two meet in an operation | safe | on another device the program would have raised |
    | `.cuda(rank)` after `torch.cuda.set_device(rank)`; `.cuda(x.get_device())` | safe | the number is that of the current GPU, or of the GPU of `x` |
    | `x.cuda().type_as(w)`, `x.cuda().to(w)` of a tensor `w` | safe, `w.device` | the result is on that device |
    | the same without an operation where they meet | unsafe | the device may not be the GPU |
    | in a library, a new device for a tensor in a method of a module, or in a function where it may meet an argument | unsafe | the callers decide where its inputs or its module are |
    | a device in scope that is `cuda:0`, where another file of the repository chooses the current GPU | unsafe | the two may differ |
    | nothing shows that the receiver is a tensor or a module of torch | unsafe | an object of another class may have no `.to` |
    | the receiver may be an instance of a class of the repository that defines `.cuda()` and no equivalent `.to()` | unsafe | calls of `.train()`, `.eval()` or `.parameters()` do not show its class |
    | a file that places everything on one GPU by a number that is an int by default (`.cuda(args.gpu)`) | unsafe | the number may be None; the device keeps it |
    | a function named for moving to CUDA (`to_cuda(batch)`) | unsafe | without CUDA its result stays on the CPU |
    | a comment after the call gives a reason for CUDA (`# use cuda to match …`) | unsafe | CUDA may be intended |
    | a function receives a tensor on one path, makes it on CUDA on another, and passes it on | unsafe | nothing shows which device its users need without CUDA |
    | a function that still needs CUDA after all fixes, in its own code or in a function that it calls, and no device in scope | no fix | half converted, it would only look portable; unsafe if only unsafe fixes remove that need |
    | a method of an object whose constructor needs CUDA, and no device in scope | no fix | the object cannot be made without CUDA |
    | a block of a function that makes an engine of TensorRT (`TRTModule()`) | not reported | it is meant for GPUs |
    | a new device in a function, object or script that keeps a test for CUDA (`if use_cuda: model.cuda()`) | unsafe | half converted |
    | a new device in a method, or in a function that a script calls, if another one still fails without CUDA | unsafe | half converted |
    | a new device in each of three or more methods of a module | unsafe | one argument or attribute would do |
    | several methods of a class, or more than two of a module, would define a device each; the class, or a base of it, has a `device` | unsafe | one attribute would do |
    | a method of a LightningModule that runs after Lightning has placed it | unsafe | it moves to `self.device` |
    | any other index; several GPUs; a framework that places things | no fix | the index may be intended, or the framework chooses the device |
    | a receiver whose class defines `.cuda()`; a `try` whose handler runs the code without a GPU | no fix | it is right |
    | `.xpu()`, `.npu()`, `.hpu()` in a file that names no other accelerator | safe, as for CUDA | the device is that accelerator if it is available, else the CPU |
    | `.xpu()`, `.npu()`, `.hpu()` in a file that names another accelerator, or that lacks the import that the accelerator needs (`torch_npu`) | no fix | nothing shows which device is intended, or that it can be tested for |
    | the body of a method named `.cuda()` | note | it is meant for CUDA |

    A new definition is written once, at the module level of a script, if code there or several functions need it: after the imports,
    after `CUDA_VISIBLE_DEVICES` is written and after the flag that it follows is known. It is written inside the function

    - if one function alone needs it;
    - in library files: importing a file must not query CUDA;
    - in files that fork processes, because a child cannot use CUDA once its parent has queried it;
    - in files imported by files that fork, or that write `CUDA_VISIBLE_DEVICES` after their imports.

    A tensor with the same values on any device is made on its device: `torch.zeros(n).cuda()` becomes `torch.zeros(n, device=device)`,
    also where the move is the next statement, and `torch.FloatTensor(n).cuda()` becomes `torch.empty(n, dtype=torch.float32, device=device)`.
    Random numbers are moved, because another device draws other numbers. A short comment such as `# to GPU` becomes `# to device`.

Example:
    x, y = x.cuda(), y.cuda(non_blocking=True)
    ->
    x, y = x.to(device), y.to(device, non_blocking=True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF401, messages
from placefix.rules.common import kept, respelled
from placefix.rules.cuda.device_rewrite import DeviceRewrite
from placefix.rules.cuda.intentional_uses import IntentionalUses
from placefix.rules.cuda.other_accelerators import each

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report calls of `.cuda()` and of the methods of other accelerators."""
    for one in each(context):
        title = messages.PF401_FIX.format(method=one.accelerator.method)
        for found in one.get(DeviceRewrite).calls():
            message = messages.PF401.format(what=found.what, accelerator=one.accelerator.title)
            yield respelled(PF401, found, message, title)
    for found in context.get(IntentionalUses).functions("cuda"):
        yield kept(PF401, found, messages.PF401_KEPT)
