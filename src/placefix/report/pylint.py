"""Pylint's parseable lines: `path:row: [CODE(name), severity] message`. Notes are no findings, and left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.report.concise import sorted_findings
from placefix.report.machine_formats import cell_position, plain_line, relative_path, report_root

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult


def render(results: Iterable[FileResult], out: OutputStream) -> None:
    """Write the remaining findings of each result to `out`, as the results come."""
    folder = report_root()
    for result in results:
        source, faults = result.current, result.faults
        if source is None:
            continue
        path = plain_line(relative_path(result.absolute, folder))
        for diagnostic in (d for d in sorted_findings(result) if d in faults):
            start = diagnostic.span.start
            what = f"[{diagnostic.code}({diagnostic.rule.name}), {diagnostic.severity.value}]"
            out.line(
                f"{path}:{source.file_row(start)}: {what} {cell_position(source, start)}{plain_line(diagnostic.message)}"
            )
