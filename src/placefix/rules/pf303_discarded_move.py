"""Keep the result of a tensor's move.

Why:
    `Tensor.to`, `.cuda` and `.cpu` never change the tensor, they return another one (a module
    moves itself and is fine as a statement). A statement `x.to(device)` does nothing.

Severity:
    An error where something that follows refuses the tensor: it is fed to a module, meets a tensor that was moved, or numpy reads it.
    Otherwise a warning: the statement does nothing, and nothing is shown to fail. Nothing is reported for the last
    expression of a notebook cell, which shows the tensor, unless something fails.

Fix safety:
    Safe when the receiver is proven to be a tensor and everything that uses it afterwards may
    run on the device; otherwise unsafe, as is a move that changes the type as well. A move to
    the CPU is safe where numpy follows and nothing of the device does. A name of an enclosing
    scope, an item of a loop and an expression without a name are reported only. Objects whose
    `.to` works in place (modules, batches of a class of their own) are left alone.

Example:
    x.to(device)  ->  x = x.to(device)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF303
from placefix.rules.common import misplaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    if facts.framework:
        return
    for found in facts.discarded.misplaced():
        yield misplaced(
            PF303,
            found,
            "the result of this move is thrown away: a tensor's move returns a new tensor",
            "assign the moved tensor",
        )
