"""GitHub's workflow commands: findings as annotations on the lines of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Severity
from placefix.report.concise import in_order, spot
from placefix.report.machine import advice, plain, relative, root

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.batch import FileResult
    from placefix.diagnostic import Diagnostic
    from placefix.report.stream import Stream
    from placefix.source import Source

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.STYLE: "notice", Severity.NOTE: "notice"}


def render(results: Iterable[FileResult], out: Stream) -> None:
    folder = root()
    for result in results:
        if result.current is not None:
            for diagnostic in in_order(result):
                out.line(_annotation(relative(result.absolute, folder), diagnostic, result.current))
    for path, reason in out.failures:
        place = f",file={_property(plain(relative(path, folder)))}" if path else ""
        out.line(f"::error title=placefix{place}::{_data(plain(reason))}")


def _annotation(path: str, diagnostic: Diagnostic, source: Source) -> str:
    path, (start, end) = plain(path), diagnostic.span
    row, last = source.file_row(start), source.file_row(end)
    where = f"file={_property(path)},line={row},endLine={last}"
    if last == row and source.cell(start) is None:  # GitHub takes columns only where there is one line
        where += f",col={source.location(start).column},endColumn={source.location(end).column}"
    title = _property(f"placefix {diagnostic.code} {diagnostic.rule.name}")
    text = f"{path}:{spot(source, start)}: {diagnostic.severity.value} {diagnostic.code} {plain(diagnostic.message)}"
    lines = [text, *map(plain, advice(diagnostic))]
    return f"::{_LEVELS[diagnostic.severity]} title={title},{where}::{_data(chr(10).join(lines))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
