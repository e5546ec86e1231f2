"""Replace `if use_cuda:` guards by `.to(device)`.

Why:
    `if use_cuda: x = x.cuda()` repeats one decision at every tensor; a device holds it once.
    Guards get forgotten: files that mix guarded and unguarded calls fail on the CPU.

Fix safety:
    Safe by default: the device is CUDA exactly if the guard's own test holds (the script's flag, not availability alone). It is defined after the
    flag is known, and nothing sets the flag in between.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | the body only places; the other arm is missing, empty, or the same without `.cuda()` | safe, the guard is removed | the device decides the same; the last `elif` of a chain becomes its `else` |
    | the body also seeds, sets cudnn or wraps | safe, the guard keeps that | its first and last moves are written before and after it, in the same order; `.cuda()` becomes `.to(device)` in the others |
    | the test has another condition as well | safe, the guard keeps that condition | only the part about CUDA is removed |
    | the flag counts GPUs (`n_gpu > 0`) or names a device (`args.device == "gpu"`) | safe | it is a flag like others |
    | a local flag that only such guards read, or an attribute that is no more than `torch.cuda.is_available()` and that no other file reads | safe | it is removed with the last of them |
    | a flag that callers set (an argument, or an attribute that holds one), if nothing else would read it | unsafe | a part of the interface would be without effect |
    | `if x.is_cuda: y = y.cuda()`, where the two meet in an operation | safe, `y.to(x.device)` | on different GPUs the program would have raised |
    | the same, and the test also requires that `y` is not on a GPU | safe, without the test | where they meet on all paths the move has no other effect |
    | the same, where nothing shows that they meet | unsafe | the guard is removed only if `y` was made on the CPU |
    | the same with the number of that tensor's GPU (`y.cuda(x.get_device())`), and the guard would stay | note | it is right already |
    | nothing shows that the object is a tensor or a module, or that it exists without CUDA | unsafe | without CUDA it was not moved at all |
    | a flag of the script, and a tensor that the function makes (also from a tensor on the device of that flag) or takes from a loader | safe | with the flag off it is on the CPU, and stays there |
    | a flag of the script, and an attribute, a buffer, an input of `forward`, a parameter, or the result of unknown code | unsafe | with the flag off it may be on a GPU, and would move to the CPU |
    | a function named for the flag (`to_cuda(x, use_cuda)`) | unsafe | the same |
    | without the guard, code would run that the other arm does not run: another query, a new list | unsafe | the other arm did less |
    | one of several arms that compare the name of a device | unsafe | its moves go to that device |
    | a move that begins a chain (`x = x.cuda().half()`) | unsafe | the move is written before the guard, the rest stays in it |
    | a test of unknown meaning; the neighbouring lines name one device | unsafe | nothing proves that it is the same device |
    | in a method of a module, under a flag of the module: all values meet a tensor of the function, an argument or a layer | safe, that one's device | the flag may be out of date after a move of the module |
    | the same, where nothing shows that they meet one | unsafe | the device would follow the flag, not the module |
    | the function writes out an equal device elsewhere | safe | the new name is used there as well |
    | in a module or library function: all values meet a tensor that the function computes, whether or not the test is true | safe, that tensor's device | on different devices the program would have raised |
    | a function that still needs CUDA after all fixes, and no device in scope | no fix | see PF401 |
    | a new device, and another such test stays in the same function, object or script | unsafe | see PF401 |
    | a new device would be defined more than 25 lines above its first use | unsafe | the guard runs without CUDA as well |
    | the other arm raises, prints or differs otherwise | no fix | the arms do different things |
    | the guard tests for more than CUDA, and the code runs without it | note | it is right |

Example:
    if use_cuda:
        x = x.cuda()
    ->
    x = x.to(device)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF403, messages
from placefix.rules.common import kept, respelled
from placefix.rules.cuda.guard_removal import GuardRemoval
from placefix.rules.cuda.guarded_uses import GuardedUses
from placefix.rules.cuda.intentional_uses import IntentionalUses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report placements on CUDA under a test for CUDA."""
    spoken = set()
    for guarded in context.get(GuardRemoval).guards():
        found = guarded.finding
        spoken.add(found.span.start)
        if guarded.collapses or found.why_not:
            template = messages.PF403_REFUSED if found.why_not else messages.PF403
            yield respelled(PF403, found, template.format(what=found.what), messages.PF403_FIX)
        else:
            yield respelled(PF403, found, messages.PF403_MOVES.format(what=found.what), messages.PF403_MOVES_FIX)
    for found, guard in context.get(GuardedUses).beside_device(spoken, "cuda", "to"):
        spoken.add(guard.start)
        yield respelled(PF403, found, messages.PF403_BESIDE.format(what=found.what), messages.PF403_FIX)
    for found in context.get(IntentionalUses).guards(spoken):
        yield kept(PF403, found, messages.PF403_KEPT.format(what=found.what))
