"""GitHub's workflow commands: findings as annotations on the lines of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Severity
from placefix.report.concise import row_and_column, sorted_findings
from placefix.report.machine_formats import advice_lines, plain_line, relative_path, report_root

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Diagnostic
    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult
    from placefix.source import Source

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.STYLE: "notice", Severity.NOTE: "notice"}


def render(results: Iterable[FileResult], out: OutputStream) -> None:
    """Write the remaining findings of each result to `out`, as the results come."""
    folder = report_root()
    for result in results:
        if result.current is not None:
            for diagnostic in sorted_findings(result):
                out.line(_annotation(relative_path(result.absolute, folder), diagnostic, result.current))
    for path, reason in out.failures:
        place = f",file={_property(plain_line(relative_path(path, folder)))}" if path else ""
        out.line(f"::error title=placefix{place}::{_data(plain_line(reason))}")


def _annotation(path: str, diagnostic: Diagnostic, source: Source) -> str:
    path, (start, end) = plain_line(path), diagnostic.span
    row, last = source.file_row(start), source.file_row(end)
    where = f"file={_property(path)},line={row},endLine={last}"
    if last == row and source.cell(start) is None:  # GitHub takes columns only where there is one line
        where += f",col={source.location(start).column},endColumn={source.location(end).column}"
    title = _property(f"placefix {diagnostic.code} {diagnostic.rule.name}")
    text = f"{path}:{row_and_column(source, start)}: {diagnostic.severity.value} {diagnostic.code} {plain_line(diagnostic.message)}"
    lines = [text, *map(plain_line, advice_lines(diagnostic))]
    return f"::{_LEVELS[diagnostic.severity]} title={title},{where}::{_data(chr(10).join(lines))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
