"""One line per finding: `path:row:column: severity CODE [*] message`; [*] means that `apply` repairs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.report.stream import Part

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.batch import FileResult
    from placefix.diagnostic import Diagnostic
    from placefix.report.stream import Stream
    from placefix.source import Source


def render(results: Iterable[FileResult], out: Stream) -> None:
    for result in results:
        for diagnostic in in_order(result):
            out.line(
                *place(result, diagnostic),
                *kind(diagnostic, out),
                *mark(result, diagnostic),
                f" {diagnostic.message}",
            )


def in_order(result: FileResult) -> list[Diagnostic]:
    """The remaining findings from the top of the file to its end."""
    return sorted(result.remaining, key=lambda diagnostic: (diagnostic.span, diagnostic.code))


def place(result: FileResult, diagnostic: Diagnostic) -> tuple[Part | str, ...]:
    """`path:row:column: `, which terminals and editors turn into a link; in a notebook `path:cell N:row:column: `."""
    assert result.current is not None  # a finding has a place in a file
    return Part(result.path, "path"), f":{spot(result.current, diagnostic.span.start)}: "


def kind(diagnostic: Diagnostic, out: Stream) -> tuple[Part | str, ...]:
    """`severity CODE`, the code with a link to the rule's page where `out` can hold one."""
    url = ""
    if out.links:
        from placefix.report.links import rule_url

        url = rule_url(diagnostic.rule)
    return Part(diagnostic.severity.value, diagnostic.severity.value), " ", Part(diagnostic.code, "code", url)


def spot(source: Source, offset: int) -> str:
    """`row:column`; in a notebook `cell N:row:column`."""
    row, column = source.location(offset)
    cell = source.cell(offset)
    return f"{row}:{column}" if cell is None else f"cell {cell}:{row}:{column}"


def mark(result: FileResult, diagnostic: Diagnostic) -> tuple[Part | str, ...]:
    """` [*]` where `apply` repairs the finding."""
    return (" ", Part("[*]", "fixable")) if diagnostic in result.fixable else ()
