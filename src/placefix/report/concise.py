"""One line per finding: `path:row:column: severity CODE [*] message`; [*] means that `apply` repairs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.report.output_stream import StyledText

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Diagnostic
    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult
    from placefix.source import Source


def render(results: Iterable[FileResult], out: OutputStream) -> None:
    """Write the remaining findings of each result to `out`, as the results come."""
    for result in results:
        for diagnostic in sorted_findings(result):
            write_message(result, diagnostic, out)


def write_message(result: FileResult, diagnostic: Diagnostic, out: OutputStream) -> None:
    """Write a finding in one line."""
    out.line(
        *location_prefix(result, diagnostic),
        *severity_and_code(diagnostic, out),
        *fixable_mark(result, diagnostic),
        f" {diagnostic.message}",
    )


def sorted_findings(result: FileResult) -> list[Diagnostic]:
    """The remaining findings from the top of the file to its end."""
    return sorted(result.remaining, key=lambda diagnostic: (diagnostic.span, diagnostic.code))


def location_prefix(result: FileResult, diagnostic: Diagnostic) -> tuple[StyledText | str, ...]:
    """`path:row:column: `, which terminals and editors turn into a link; in a notebook `path:cell N:row:column: `."""
    assert result.current is not None  # a finding has a place in a file
    return StyledText(result.path, "path"), f":{row_and_column(result.current, diagnostic.span.start)}: "


def severity_and_code(diagnostic: Diagnostic, out: OutputStream) -> tuple[StyledText | str, ...]:
    """`severity CODE`, the code with a link to the rule's page where `out` can hold one."""
    url = ""
    if out.links:
        from placefix.report.web_links import rule_url

        url = rule_url(diagnostic.rule)
    return (
        StyledText(diagnostic.severity.value, diagnostic.severity.value),
        " ",
        StyledText(diagnostic.code, "code", url),
    )


def row_and_column(source: Source, offset: int) -> str:
    """`row:column`; in a notebook `cell N:row:column`."""
    row, column = source.location(offset)
    cell = source.cell(offset)
    return f"{row}:{column}" if cell is None else f"cell {cell}:{row}:{column}"


def fixable_mark(result: FileResult, diagnostic: Diagnostic) -> tuple[StyledText | str, ...]:
    """` [*]` where `apply` repairs the finding."""
    return (" ", StyledText("[*]", "fixable")) if result.is_fixable(diagnostic) else ()
