"""Read the nodes that accumulate gradients only after the module is placed.

Why:
    `p.expand_as(p).grad_fn.next_functions[0][0]` is the node that accumulates the gradient of `p`. Code that reduces gradients itself registers
    hooks on it. A move to another device gives the parameter a new node: the hooks of the old one never run, and nothing fails.
    The hooks of modules, of parameters (`p.register_hook`), and `p.register_post_accumulate_grad_hook` stay.

Severity:
    A warning: on a machine without a GPU nothing moves, and it depends on the hook whether the training changes.

Fix safety:
    Safe by default: the placement moves up, above the first read of the nodes. No fix if something in between depends on the order, or if
    the module is placed in another function.

Example:
    for p in model.parameters():                               model.to(device)
        node = p.expand_as(p).grad_fn.next_functions[0][0]  ->  for p in model.parameters():
        node.register_hook(reduce)                                 node = p.expand_as(p).grad_fn.next_functions[0][0]
    model.to(device)                                               node.register_hook(reduce)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF208, messages
from placefix.rules.common import remedy
from placefix.rules.ordering.reorder import Reorder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report nodes that accumulate gradients and are read before their module is placed."""
    reorder = context.get(Reorder)
    for found in reorder.accumulators():
        row = context.source.row_name(found.placement.node.lineno)
        repair = remedy(reorder.accumulator_after_placement(found), messages.PF208_FIX)
        yield PF208.diagnostic(context.span(found.event.node), messages.PF208.format(row=row), **repair)
