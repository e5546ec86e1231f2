"""Give pack_padded_sequence its lengths on the CPU.

Why:
    `pack_padded_sequence` takes the sequences from any device and the lengths from the CPU alone:
    "'lengths' argument should be a 1D CPU int64 tensor".

Severity:
    An error: the call raises.

Fix safety:
    Safe by default: `.cpu()` is added at the call. For a tensor on the CPU it returns the tensor itself.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | the script moved the lengths, or made them on a device | safe | the call raises otherwise |
    | `forward` packs by a parameter, and a call of the module gives it such lengths | safe | the same |
    | the same, or a function packs by a parameter, if another call may give it a list | unsafe | a list has no `.cpu()` |

Example:
    lengths = lengths.to(device)                 lengths = lengths.to(device)
    p = pack_padded_sequence(x, lengths)     ->  p = pack_padded_sequence(x, lengths.cpu())
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF309, messages
from placefix.rules.common import misplaced, outside_frameworks
from placefix.rules.tensors.unplaced_modules import UnplacedModules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report lengths on a device that pack_padded_sequence gets."""
    return outside_frameworks(context, _reported)


def _reported(context: AnalysisContext) -> Iterator[Diagnostic]:
    for found in context.get(UnplacedModules).read_on_host("lengths"):
        yield misplaced(PF309, found, messages.PF309, messages.PF309_FIX)
