"""Distributions of torch in the must-share domain: they need the tensors that they are made of on one device, and give tensors of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.interpret.constraint_operators import ConstraintOperators
from placefix.facts.interpret.distributions import GIVES, MEETS
from placefix.torch_model import modules

if TYPE_CHECKING:
    from placefix.facts.interpret.constraint_operators import Values
    from placefix.facts.interpret.values import Obj


class ConstraintDistributions(ConstraintOperators):
    """The calls of distributions, as facts about their tensors and their arguments."""

    def distribution(self, name: str, values: Values, result: Obj) -> Obj | None:
        """The result of a call that makes a distribution, or compares two of them; None for other functions. name: the qualified name."""
        given = [value for value in self.flat(value for _, value in values) if self.role(value) == "value"]
        if name in api.DIVERGENCES:
            return self.tensor(self.operation(given, result))
        if not modules.is_distribution(name) or not given:
            return None
        result.kind, result.name = "distribution", name
        self.facts.add(("carrier", result))
        return self.operation(given, result)

    def distribution_method(self, base: Obj, attr: str, values: Values, result: Obj) -> Obj:
        """The result of a method of a distribution."""
        made = modules.distribution(base.name)
        if attr in MEETS:
            takes_any = made is not None and made.moves and attr == "log_prob"
            met = () if takes_any else (value for _, value in values)
            return self.tensor(self.operation([base, *met], result))
        if attr in GIVES:
            return self.tensor(self.image(base, result, dims=True), dims=bool(values))
        return self.computed_of(result, [base])
