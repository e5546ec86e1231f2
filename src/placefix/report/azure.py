"""Logging commands of Azure Pipelines: errors and warnings of a build. Notes are neither, and left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Severity
from placefix.report.concise import in_order
from placefix.report.machine import advice, in_cell, plain, relative, root

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.batch import FileResult
    from placefix.diagnostic import Diagnostic
    from placefix.report.stream import Stream
    from placefix.source import Source


def render(results: Iterable[FileResult], out: Stream) -> None:
    folder = root()
    for result in results:
        faults = result.faults
        if result.current is not None:
            for diagnostic in (d for d in in_order(result) if d in faults):
                out.line(_issue(relative(result.absolute, folder), diagnostic, result.current))
    for path, reason in out.failures:
        place = f"sourcepath={_property(relative(path, folder))};" if path else ""
        out.line(f"##vso[task.logissue type=error;{place}]{_data(plain(reason))}")


def _issue(path: str, diagnostic: Diagnostic, source: Source) -> str:
    start = diagnostic.span.start
    level = "error" if diagnostic.severity is Severity.ERROR else "warning"  # there are no others
    place = f"sourcepath={_property(path)};linenumber={source.file_row(start)};"
    if source.cell(start) is None:
        place += f"columnnumber={source.location(start).column};"
    text = ". ".join(
        [f"{diagnostic.severity.value}: {in_cell(source, start)}{diagnostic.message}", *advice(diagnostic)]
    )
    return f"##vso[task.logissue type={level};{place}code={diagnostic.code};]{_data(plain(text))}"


def _data(text: str) -> str:
    return text.replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(plain(text)).replace(";", "%3B").replace("]", "%5D")
