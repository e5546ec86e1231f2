"""Build the optimizer after its module is placed.

Why:
    The canonical order is construct, place, wrap, optimise. On CPU, CUDA, MPS and XPU a
    placement keeps the Parameter objects, so most of torch's optimizers also work when they
    are built first: for those this is style. It is a real bug for Adagrad, whose state is made in its
    constructor and stays on the CPU (its first step fails), for optimizers of other packages
    that do the same, for ZeroRedundancyOptimizer, for `fused=True` before torch 2.5, and on XLA.

Severity:
    Style where the optimizer works in both orders. A warning for classes of optimizers that are not known, and for those that may
    fail. An error for Adagrad: its first step fails.

Fix safety:
    Safe: the optimizer moves below the placement together with everything that uses it in
    between (schedulers, load_state_dict, its parameter list), or the placement moves up,
    whichever changes fewer lines. Refused when something in between changes the parameters,
    hands the module to unknown code, or uses the optimizer and places the module at once.
    An optimizer that is built anew before any use is reported, never moved.

Example:
    optimizer = SGD(model.parameters())  ->  model.to(device)
    model.to(device)                         optimizer = SGD(model.parameters())
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF201
from placefix.rules.common import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    for optimizer in facts.early_optimizers():
        if optimizer.state_loaded:
            continue
        severity, what = facts.early_optimizer_effect(optimizer)
        message = f"{what}; the canonical order is place, then optimise"
        yield PF201.diagnostic(
            facts.span(optimizer.event.node),
            message,
            severity=severity,
            **remedy(facts.optimizer_repair(optimizer), "build the optimizer after the placement"),
        )
