"""The accelerators other than CUDA that a file may name outright."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from placefix.facts.accelerators import OTHERS
from placefix.prefilter.source_patterns import CALLS_OTHER, MOVES_TO_OTHER, SAYS_OTHER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext


def each(context: AnalysisContext) -> Iterator[AnalysisContext]:
    """The context of a file, and its contexts about the other accelerators that the file names."""
    yield context
    text = context.source.text
    if any(re.search(pattern, text) for pattern in (SAYS_OTHER, MOVES_TO_OTHER, CALLS_OTHER)):
        yield from (context.about(other) for other in OTHERS if other.name in text)
