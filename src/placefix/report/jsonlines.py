"""Findings as JSON, one object a line, written as they are found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from placefix.report.json import findings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult


def render(results: Iterable[FileResult], out: OutputStream) -> None:
    """Write the remaining findings of each result to `out`, as the results come."""
    for result in results:
        for finding in findings(result, out):
            out.line(json.dumps(finding))
        out.flush()
