"""Functions that are named for moving their argument to CUDA: ``def to_cuda(batch):``.

The name has CUDA in it, and its callers mean the device of the training: without CUDA the
argument stays on the CPU. Callers can mean nothing else, but it is not proven, so it is a premise.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts.interpret.provenance import Provenance
from placefix.facts.naming import names_measurement, names_move_to_cuda
from placefix.facts.program.arguments import receiver_name
from placefix.facts.program.ast_names import unpacks

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.program.tree import Scope
    from placefix.facts.wording import Premise

_OFFERED = ("cuda", "gpu", "to")  # methods that a class offers, as tensors and modules do


def mover(context: AnalysisContext, site: Site) -> Scope | None:
    """The function named for such a move around a site that moves a parameter of it, or a value made from one; None for other sites."""
    scope, call = site.stmt.scope, site.node
    named = scope.function_named(names_move_to_cuda) if site.is_move else None
    if named is None or names_measurement(named.name) or (receiver_name(named) and named.name.lower() in _OFFERED):
        return None
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    if unpacks(call):
        return None  # the arguments are those of `.cuda()`
    return named if context.get(Provenance).depends_on_arguments(call.func.value, scope) else None


def premise(scope: Scope) -> Premise | None:
    """The premise of moving to a device in such a function."""
    return premises.MOVER_BY_NAME(function=scope.name)
