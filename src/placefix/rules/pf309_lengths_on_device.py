"""Give pack_padded_sequence its lengths on the CPU.

Why:
    `pack_padded_sequence` takes the sequences from any device and the lengths from the CPU alone:
    "'lengths' argument should be a 1D CPU int64 tensor".

Severity:
    An error: the call raises.

Fix safety:
    Safe: `.cpu()` is written at the call, and a tensor on the CPU returns itself. Reported only
    where the lengths are proven to be a tensor that the script moved or made on a device, at the call of the module too where
    its `forward` packs by an argument; unsafe there where another call may hand it a list.

Example:
    lengths = lengths.to(device)                 lengths = lengths.to(device)
    p = pack_padded_sequence(x, lengths)     ->  p = pack_padded_sequence(x, lengths.cpu())
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF309
from placefix.rules.common import misplaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    if facts.framework:
        return
    for found in facts.stays.read_on_host("lengths"):
        yield misplaced(
            PF309, found, "the lengths of packed sequences have to be on the CPU", "take the lengths to the CPU"
        )
