"""Functions that are named for moving what they are given to CUDA: ``def to_cuda(batch):``.

The name says CUDA, and the code that calls it means the device it trains on: without CUDA what is
given stays where it is. That is no more than what the callers can mean, and no less than a premise.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts.interpret.provenance import Provenance
from placefix.facts.naming import names_measurement, names_move_to_cuda

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.program.tree import Scope
    from placefix.facts.wording import Premise

_OFFERED = ("cuda", "gpu", "to")  # methods that a class offers, as tensors and modules do


def mover(context: AnalysisContext, site: Site) -> Scope | None:
    """The function named for it whose parameter, or what is made of one, a site moves; None where it moves anything else."""
    scope, call = site.stmt.scope, site.node
    named = scope.function_named(names_move_to_cuda) if site.is_move else None
    if named is None or names_measurement(named.name) or (_method(named) and named.name.lower() in _OFFERED):
        return None
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return None  # it is as `.cuda()` is, arguments and all
    return named if context.get(Provenance).depends_on_arguments(call.func.value, scope) else None


def premise(scope: Scope) -> Premise | None:
    """What is taken for granted where such a function moves to a device."""
    return premises.MOVER_BY_NAME(function=scope.name)


def _method(scope: Scope) -> bool:
    """Whether the first parameter of a function is the object, or its class."""
    if scope.parent is None or not scope.parent.is_class:
        return False
    return not any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in scope.function.decorator_list)
