"""The rules, in the order in which they are asked: order is meaning.

Wraps come first (they decide what a placement is about), then optimizers, then tensors,
then spelling; where two fixes overlap the earlier one wins and the other waits a round.
"""

from __future__ import annotations

from placefix.diagnostic import Rule

RULES: tuple[Rule, ...] = ()
