"""Findings by file: the file's name, and below it a line for each finding, `row:column severity CODE [*] message`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.report.concise import fixable_mark, row_and_column, severity_and_code, sorted_findings
from placefix.report.output_stream import StyledText

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult


def render(results: Iterable[FileResult], out: OutputStream) -> None:
    """Write the remaining findings of each result to `out`, as the results come."""
    for result in results:
        source = result.current
        if source is None or not result.remaining:
            continue
        found = sorted_findings(result)
        places = [row_and_column(source, diagnostic.span.start) for diagnostic in found]
        width = max(map(len, places))
        out.line(StyledText(result.path, "path"), ":")
        for place, diagnostic in zip(places, found, strict=True):
            words = (*severity_and_code(diagnostic, out), *fixable_mark(result, diagnostic), f" {diagnostic.message}")
            out.line(f"  {place:{width}} ", *words)
        out.line()
