"""The places of a text where something may be placed, and the texts that are analysed with the files they import from."""

from __future__ import annotations

from placefix.byte_patterns import in_bytes
from placefix.prefilter.source_patterns import (
    LOOPS_OVER_DATA,
    MOVED_ALONE,
    MOVES,
    MOVES_AT_MODULE_LEVEL,
    PLACES,
    TRAINS,
)

_TRAINS = tuple(word.encode() for word in TRAINS)


def placements(data: bytes) -> list[int]:
    """Where a text may place something, sorted: offsets."""
    found = [match.start() for places in PLACES for match in in_bytes(places).finditer(data)]
    alone = in_bytes(MOVED_ALONE).fullmatch
    for move in MOVES:
        for match in in_bytes(move).finditer(data):
            line = data.rfind(b"\n", 0, match.start())
            if line >= 0 and alone(data, line + 1, match.start()):
                found.append(line)
    return sorted(found)


def runs_models(data: bytes) -> bool:
    """Whether a text trains or runs models, loads data, wraps or is a script. Reading other files costs more than the rest of the analysis:
    not for other code."""
    return any(word in data for word in _TRAINS) or any(
        in_bytes(pattern).search(data) for pattern in (LOOPS_OVER_DATA, MOVES_AT_MODULE_LEVEL)
    )
