"""Choose the device instead of naming "cuda".

Why:
    `.to("cuda")`, `device="cuda"`, `map_location="cuda"` and `torch.device("cuda")` raise on a
    machine without CUDA, like `.cuda()` does. So do `.to(0)` and `torch.device("cuda", 0)`. So does `y.to(x.get_device())`: for a tensor on the CPU it is -1.
    "mps", "xpu", "npu" and "hpu" raise on machines without these accelerators.

Fix safety:
    Safe by default: the string becomes a device that is CUDA wherever there is CUDA.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | an argument: the device in scope, or a new definition (see PF401) | safe | on a CUDA machine nothing changes |
    | a definition, `device = torch.device("cuda")` | safe | it keeps its name and becomes `torch.device("cuda" if torch.cuda.is_available() else "cpu")` |
    | the choice for a caller that gives no device: `if device is None: device = torch.device("cuda")`, `if device == "auto":`, `if not device:` | safe | as for a definition |
    | an attribute of a class, or an entry of a dictionary, that the file uses as a device and sets once: `device = "cuda"`, `{"device": "cuda"}` | safe | as for a definition |
    | "cuda:0", where nothing else in the file selects a GPU | safe | it is the current GPU |
    | `.to(0)` of a tensor or a module, `torch.device("cuda", 0)` | as "cuda:0" | they name the same GPU |
    | `f"cuda:{args.gpu}"`, where the file shows that it is a number and no condition decides about it | unsafe | the user names a GPU |
    | the same with a number of another origin, or the number of a process | not reported | other code chooses the device |
    | `x.get_device()` as a device, where something else shows that `x` is a tensor | safe | `x.device` is the same, and is right on the CPU too |
    | "cuda:0", where another file of the repository chooses the current GPU | unsafe | the two may differ |
    | an argument of a function that only moves to it, or makes tensors there | safe | a torch.device works as well as the string |
    | an argument of a function that placefix cannot see into | unsafe | it may require a string |
    | an argument of a function that compares it, formats it or passes it on | no fix | a torch.device is not a string |
    | a move of a Parameter in the expression that makes it | no fix | on a device the result is not a Parameter: fix PF205 first |
    | a definition in a function that needs CUDA all the same, in some runs at least | no fix | half converted, it would only look portable |
    | the same in another function of the script, or if unsafe fixes remove the need | unsafe | as above |
    | a definition before `CUDA_VISIBLE_DEVICES` is written | unsafe | the variable has no effect once CUDA was queried |
    | at the module level of a file that forks processes | unsafe | children of a process that has queried CUDA cannot use it |
    | at the module level, where importers of the file fork, or write `CUDA_VISIBLE_DEVICES` later | unsafe | importing the file would query CUDA |
    | a definition with another index, "cuda:1" | unsafe | the index may be intended |
    | the default `device=torch.device("cuda")` of a parameter | unsafe | the default becomes None and the function chooses the device; other code may read the default. A note if that is impossible |
    | the device in scope may be None, or a test of unknown meaning is around the use, and the neighbouring lines name one device | unsafe | nothing proves that it is the same device |
    | "mps", "xpu", "npu", "hpu" in a file that names no other accelerator | safe, as for CUDA | the device is that accelerator if it is available, else the CPU |
    | "mps", "xpu", "npu", "hpu" in a file that names another accelerator, or that lacks the import that the accelerator needs (`torch_npu`) | no fix | nothing shows which device is intended, or that it can be tested for |
    | "mps", "xpu", "npu", "hpu" below a test of a device or a platform, or in a function or class named for the accelerator (`NpuBackend`) | not reported | the code chooses, or is meant for it |
    | "cuda:1" elsewhere, "mps:0" | no fix | it names a particular GPU |
    | "cuda:2" behind a test for CUDA alone, in a file that names no other GPU | no fix | a machine with one GPU passes the test and fails |
    | a script's default that becomes a device: `def train(net, device="cuda")` where a call leaves it out, `add_argument("--device", default="cuda")`, the field of a dataclass | safe | the name stays a string; a device that a caller or the user gives is not changed |
    | the same default in a library, or one that the program replaces or asks about | not reported | the caller chooses |
    | `torch.set_default_device("cuda")`, where nothing else in the file needs CUDA | safe | as for a definition |

Example:
    model.to("cuda")
    ->
    model.to(device)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF402, messages
from placefix.rules.common import kept, report, respelled
from placefix.rules.cuda.device_rewrite import DeviceRewrite
from placefix.rules.cuda.fixed_indices import FixedIndices
from placefix.rules.cuda.guarded_uses import GuardedUses
from placefix.rules.cuda.intentional_uses import IntentionalUses
from placefix.rules.cuda.numbered_devices import NumberedDevices
from placefix.rules.cuda.other_accelerators import each

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report devices named "cuda" and the names of other accelerators."""
    for one in each(context):
        for found in one.get(DeviceRewrite).literals():
            message = messages.PF402.format(what=found.what, accelerator=one.accelerator.title)
            yield respelled(PF402, found, message, messages.PF402_FIX)
    for found, _ in context.get(GuardedUses).beside_device((), "argument"):
        yield respelled(PF402, found, messages.PF402_BESIDE.format(what=found.what), messages.PF402_FIX)
    for found in context.get(DeviceRewrite).numbers():
        yield respelled(PF402, found, messages.PF402_NUMBER.format(what=found.what), messages.PF402_FIX)
    for found, index in context.get(FixedIndices).found():
        yield report(PF402, found, messages.PF402_INDEX.format(what=found.what, count=index + 1))
    for found in context.get(NumberedDevices).found():
        yield respelled(PF402, found, messages.PF402.format(what=found.what, accelerator="CUDA"), messages.PF402_FIX)
    for found in context.get(IntentionalUses).functions("to", "argument"):
        yield kept(PF402, found, messages.PF401_KEPT)
    for found in context.get(DeviceRewrite).defaults():
        message = messages.PF402_DEFAULT.format(what=found.what)
        yield respelled(PF402, found, message, messages.PF402_FIX) if found.edits else kept(PF402, found, message)
