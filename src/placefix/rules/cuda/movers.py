"""Functions that are named for moving what they are given to CUDA: ``def to_cuda(batch):``.

The name says CUDA, and the code that calls it means the device it trains on: without CUDA what is
given stays where it is. That is no more than what the callers can mean, and no less than a premise.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts.interpret.provenance import Provenance
from placefix.lazy import pattern

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.program.tree import Scope
    from placefix.facts.wording import Premise

_CUDA = r"(?:[Cc]uda|CUDA|[Gg]pu|GPU)"
_MOVES = pattern(
    rf"(?:(?<![A-Za-z])to|[a-z]To|2|(?<![A-Za-z])on_?to)_?(?:the_)?{_CUDA}"
    rf"|(?:put|place|load|move|set|send|copy)_?(?:it_)?(?:on|in|into)_?(?:the_)?{_CUDA}"
    rf"|^_?(?:(?:maybe|try|set|get|make|wrap|as|batch)_?)?{_CUDA}s?_?(?:i?[fs]y|i[sz]e|wrap|if_?available|var|variable|tensor|batch|data|sample)?s?_?$"
    rf"|^_?(?:var|variable|tensor|batch|data|sample)s?_{_CUDA}$|^to_device$"
)
# They try, compare or measure; or are what a class offers, as tensors and modules do.
_TELLS = pattern(
    r"test|check|bench|compar|cpu|speed|time|mem(?:ory)?(?:_|$)|profil|diff|assert|has_|is_|can_", re.IGNORECASE
)
_OFFERED = pattern(r"^(?:cuda|gpu|to)$", re.IGNORECASE)


def mover(context: AnalysisContext, site: Site) -> Scope | None:
    """The function named for it whose parameter, or what is made of one, a site moves; None where it moves anything else."""
    scope, call = site.stmt.scope, site.node
    named = scope.function_named(_MOVES) if site.form in ("cuda", "to") else None
    if named is None or _TELLS.search(named.name) or (_method(named) and _OFFERED.match(named.name)):
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
    if scope.parent is None or scope.parent.kind != "class":
        return False
    return not any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in scope.function.decorator_list)
