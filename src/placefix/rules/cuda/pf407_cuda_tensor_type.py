"""Use a device instead of a CUDA tensor type.

Why:
    `torch.cuda.FloatTensor` and the like raise on a machine without CUDA. The names are relics of
    torch before 0.4: such a type names the element type and the device at once, and every new device would
    need a new set of types.

Fix safety:
    Safe by default: values, element type and device on a CUDA machine are the same to the last bit.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | `torch.cuda.FloatTensor(values)` | safe, `torch.FloatTensor(values).to(device)` | the same tensor |
    | `torch.cuda.FloatTensor([1, 2])` | safe, `torch.tensor(…, dtype=torch.float32, device=device)` | the same tensor |
    | `torch.cuda.FloatTensor(2, 3)` | safe, `torch.empty`; with `.fill_(0)` or `.zero_()` `torch.zeros` | the same values, or uninitialised as before |
    | `x.type(torch.cuda.FloatTensor)` | safe, `x.to(device, torch.float32)` | the same tensor |
    | `Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor` | safe | the name is removed with all its uses, or not at all; the device follows the same test |
    | a guard whose other branch is the same with the types of the CPU | safe, the guard is removed | the device decides the same |
    | nothing shows that the receiver is a tensor, or that the only argument is not one | unsafe | the call may mean something else |
    | a file without entry point, where a caller passes the tensor | unsafe | it may be on another GPU than the current one, and `.type()` leaves it there |
    | a name that other files may import, or that is used in another way | no fix | its other uses need the type |
    | a tensor that a function only deletes | not reported | it reserves memory of the GPU |

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
from placefix.rules import PF407, messages
from placefix.rules.common import kept, respelled
from placefix.rules.cuda.guard_removal import GuardRemoval
from placefix.rules.cuda.intentional_uses import IntentionalUses
from placefix.rules.cuda.tensor_types import TensorTypes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report tensor types of CUDA, and guards that choose one."""
    for found, flagged in context.get(TensorTypes).uses():
        if flagged:
            text = messages.PF407_FLAGGED.format(what=found.what)
            yield respelled(PF407, found, text, messages.PF407_FIX)._replace(severity=Severity.STYLE)
        else:
            yield respelled(PF407, found, messages.PF407.format(what=found.what), messages.PF407_FIX)
    spoken = set()
    for guarded in context.get(GuardRemoval).of_types():
        found = guarded.finding
        spoken.add(found.span.start)
        text = messages.PF407_GUARD.format(what=found.what)
        yield respelled(PF407, found, text, messages.PF403_FIX)._replace(severity=Severity.STYLE)
    for found in context.get(IntentionalUses).guards(spoken, forms=("tensor", "cast")):
        yield kept(PF407, found, messages.PF403_KEPT.format(what=found.what))
