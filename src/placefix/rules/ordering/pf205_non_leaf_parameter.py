"""Move the tensor, then make it a Parameter.

Why:
    `nn.Parameter(x).to(device)` returns a Parameter only where nothing moves. On a device it is an ordinary
    tensor computed from one: the module does not register it, its `.grad` stays empty, and no optimizer trains it.
    There is no message, unless it is the only one ("optimizer got an empty parameter list").

Severity:
    An error where the tensor is made on the CPU: on a device the result is no Parameter. A warning where it may be on the device already:
    then nothing moves; and for `requires_grad=False`: the module only lacks it in its state dict.

Fix safety:
    Unsafe: on a device the module gets one more parameter, in `parameters()` and in the state dict, and it is trained. On the CPU nothing
    changes.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | a move of a Parameter in the expression that makes it | unsafe | the number of parameters changes on a device |
    | a move to the CPU or to where the tensor is; a change of the type alone | not reported | the result is still the Parameter |
    | outside of modules, `requires_grad=False` | not reported | it is not trained |

Example:
    self.scale = nn.Parameter(torch.ones(3)).to(device)
    ->
    self.scale = nn.Parameter(torch.ones(3).to(device))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Severity
from placefix.facts import premises
from placefix.facts.finding import fix_of
from placefix.rules import PF205, messages
from placefix.rules.ordering.moved_parameters import moved_parameters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report moves of a Parameter directly behind its construction."""
    for found in moved_parameters(context):
        text = (messages.PF205 if found.trained else messages.PF205_CONSTANT).format(text=found.text)
        severity = None if found.made_on_host and found.trained else Severity.WARNING
        if not found.made_on_host:
            text += messages.PF205_THERE
        yield PF205.diagnostic(
            found.span,
            text,
            fix=fix_of((found.edit,), messages.PF205_FIX, (premises.ONE_PARAMETER_MORE,)),
            severity=severity,
        )
