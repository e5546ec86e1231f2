"""Build the optimizer after its module is placed.

Why:
    The canonical order is construct, place, wrap, optimise. On CPU, CUDA, MPS and XPU a
    placement keeps the Parameter objects, so most of torch's optimizers also work when they
    are built first: for those this is style. It is a real bug for Adagrad, whose state is made in its
    constructor and stays on the CPU (its first step fails), for optimizers of other packages
    that do the same, for ZeroRedundancyOptimizer, for `fused=True` before torch 2.5, and on XLA.

Severity:
    Style if the optimizer works in both orders. A warning for unknown classes of optimizers and for those that may fail. An error for
    Adagrad: its first step fails.

Fix safety:
    Safe by default: the optimizer moves below the placement together with everything that uses it in between (schedulers, `load_state_dict`,
    its parameter list), or the placement moves up. placefix chooses the move that changes fewer lines.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | nothing in between depends on the order | safe | the parameters are the same objects in both orders |
    | the class of the optimizer is not one of torch | unsafe | its constructor may store more than references to the parameters |
    | something in between changes the parameters, or gives the module to unknown code | no fix | the optimizer would hold other parameters |
    | one statement in between both uses the optimizer and places the module | no fix | neither order is right |
    | the optimizer is built again before any use | no fix | the first one is not used |

Example:
    optimizer = SGD(model.parameters())  ->  model.to(device)
    model.to(device)                         optimizer = SGD(model.parameters())
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF201, messages
from placefix.rules.common import remedy
from placefix.rules.ordering.optimizers import Optimizers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report optimizers that are made before their module is placed and have no loaded state."""
    for optimizer in context.get(Optimizers).early():
        if optimizer.state_loaded:
            continue
        severity, what = context.get(Optimizers).effect(optimizer)
        message = messages.PF201.format(what=what)
        yield PF201.diagnostic(
            context.span(optimizer.event.node),
            message,
            severity=severity,
            **remedy(context.get(Optimizers).repair(optimizer), messages.PF201_FIX, optimizer.event.obj.premises),
        )
