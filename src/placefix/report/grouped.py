"""Findings by file: the file's name, and below it a line for each finding, `row:column severity CODE [*] message`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.report.concise import in_order, kind, mark, spot
from placefix.report.stream import Part

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.batch import FileResult
    from placefix.report.stream import Stream


def render(results: Iterable[FileResult], out: Stream) -> None:
    for result in results:
        source = result.current
        if source is None or not result.remaining:
            continue
        found = in_order(result)
        places = [spot(source, diagnostic.span.start) for diagnostic in found]
        width = max(map(len, places))
        out.line(Part(result.path, "path"), ":")
        for place, diagnostic in zip(places, found, strict=True):
            words = (*kind(diagnostic, out), *mark(result, diagnostic), f" {diagnostic.message}")
            out.line(f"  {place:{width}} ", *words)
        out.line()
