"""Load or step an optimizer only after its module is placed.

Why:
    `optimizer.load_state_dict` casts the state to the device of the parameters at
    that moment, and `step` makes state there. A placement that follows moves the parameters
    and leaves the state on the CPU: the first step after it fails.

Severity:
    An error for the optimizers of torch: the next step fails. A warning for those of other packages, which may move their state
    themselves, and if the placement may not run: it is under a test that is not about a GPU.

Fix safety:
    Safe by default, as for PF201: the optimizer moves below the placement with everything that uses it in between, or the placement moves up.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | nothing in between depends on the order | safe | the next step raises otherwise |
    | the class of the optimizer is not one of torch | unsafe | its constructor may store more than references to the parameters |
    | something in between changes the parameters, or gives the module to unknown code | no fix | the optimizer would hold other parameters |

Example:
    optimizer.load_state_dict(state)  ->  model.to(device)
    model.to(device)                      optimizer.load_state_dict(state)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Severity
from placefix.rules import PF203, messages
from placefix.rules.common import remedy
from placefix.rules.ordering.optimizers import Optimizers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report optimizers that load a state before their module is placed."""
    for optimizer in context.get(Optimizers).early():
        if not optimizer.state_loaded:
            continue
        yield PF203.diagnostic(
            context.span(optimizer.event.node),
            f"{messages.PF203}; {optimizer.doubt.text}" if optimizer.doubt else messages.PF203,
            severity=Severity.WARNING if optimizer.doubt else Severity.ERROR,
            **remedy(context.get(Optimizers).repair(optimizer), messages.PF201_FIX, optimizer.event.obj.premises),
        )
