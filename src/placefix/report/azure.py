"""Logging commands of Azure Pipelines: errors and warnings of a build. Notes are neither, and left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Severity
from placefix.report.concise import sorted_findings
from placefix.report.machine_formats import advised_message, plain_line, relative_path, report_root

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Diagnostic
    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult
    from placefix.source import Source


def render(results: Iterable[FileResult], out: OutputStream) -> None:
    """Write the remaining findings of each result to `out`, as the results come."""
    folder = report_root()
    for result in results:
        faults = result.faults
        if result.current is not None:
            for diagnostic in (d for d in sorted_findings(result) if d in faults):
                out.line(_issue(relative_path(result.absolute, folder), diagnostic, result.current))
    for path, reason in out.failures:
        place = f"sourcepath={_property(relative_path(path, folder))};" if path else ""
        out.line(f"##vso[task.logissue type=error;{place}]{_data(plain_line(reason))}")


def _issue(path: str, diagnostic: Diagnostic, source: Source) -> str:
    start = diagnostic.span.start
    level = "error" if diagnostic.severity is Severity.ERROR else "warning"  # there are no others
    place = f"sourcepath={_property(path)};linenumber={source.file_row(start)};"
    if source.cell(start) is None:
        place += f"columnnumber={source.location(start).column};"
    text = advised_message(diagnostic, source)
    return f"##vso[task.logissue type={level};{place}code={diagnostic.code};]{_data(plain_line(text))}"


def _data(text: str) -> str:
    return text.replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(plain_line(text)).replace(";", "%3B").replace("]", "%5D")
