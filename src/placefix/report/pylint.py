"""Pylint's parseable lines: `path:row: [CODE(name), severity] message`. Notes are no findings, and left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.report.concise import in_order
from placefix.report.machine import in_cell, plain, relative, root

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.batch import FileResult
    from placefix.report.stream import Stream


def render(results: Iterable[FileResult], out: Stream) -> None:
    folder = root()
    for result in results:
        source, faults = result.current, result.faults
        if source is None:
            continue
        path = plain(relative(result.absolute, folder))
        for diagnostic in (d for d in in_order(result) if d in faults):
            start = diagnostic.span.start
            what = f"[{diagnostic.code}({diagnostic.rule.name}), {diagnostic.severity.value}]"
            out.line(f"{path}:{source.file_row(start)}: {what} {in_cell(source, start)}{plain(diagnostic.message)}")
