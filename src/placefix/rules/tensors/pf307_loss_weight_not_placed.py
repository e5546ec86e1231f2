"""Move a criterion whose class weights stay on the CPU.

Why:
    The weights of CrossEntropyLoss, NLLLoss or BCEWithLogitsLoss (`weight=`, `pos_weight=`) are a
    buffer of the criterion. It stays where it was made until the criterion is moved, and meets
    outputs on a device: "Expected all tensors to be on the same device".

Severity:
    An error: the loss raises.

Fix safety:
    Safe by default: `.to(device)` is appended to the construction of the criterion. On the CPU this changes nothing.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | the weights are a tensor made on the CPU, and every call of the criterion gets something on a device | safe | the loss raises otherwise |
    | weights that are given to a function (`F.cross_entropy`) | not reported | PF302 reports them |
    | a criterion that is moved, is part of a module, or has no weights | not reported | it works |

Example:
    criterion = nn.CrossEntropyLoss(weight=w)  ->  criterion = nn.CrossEntropyLoss(weight=w).to(device)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF307, messages
from placefix.rules.common import misplaced, outside_frameworks
from placefix.rules.tensors.unplaced_modules import UnplacedModules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report criteria whose weights stay on the CPU and get input from a device."""
    return outside_frameworks(context, _reported)


def _reported(context: AnalysisContext) -> Iterator[Diagnostic]:
    for found in context.get(UnplacedModules).loss_weights():
        yield misplaced(PF307, found, messages.PF307, messages.PF307_FIX)
