"""Findings for people, file by file: position, message, source line, the repair as a diff, and the reason if there is none.

    train.py: 1 style

    train.py:12:9: style PF102 [*] the module is wrapped before it is placed
      12 | model = nn.DataParallel(model)
         |         ^^^^^^^^^^^^^^^^^^^^^^
      fix: place it first
      @@ -11,3 +11,3 @@
      …

The same text with and without colours, so that a piped report is stable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Applicability, Insert
from placefix.report.concise import row_and_column, sorted_findings, write_message
from placefix.report.output_stream import StyledText, count_phrase, printable, severity_totals

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from placefix.diagnostic import Diagnostic, Fix
    from placefix.report.fix_edits import FixEdits
    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult
    from placefix.source import Source

# The name of a fix in the output, by applicability.
TITLES = {
    Applicability.SAFE: "fix",
    Applicability.UNSAFE: "unsafe fix",
    Applicability.DISPLAY: "suggestion, never applied",
}
_TAB = 4


def render(results: Iterable[FileResult], out: OutputStream) -> None:
    """Write the remaining findings of each result to `out`, as the results come."""
    for result in results:
        if result.current is None or not result.remaining:
            continue
        from placefix.report.fix_edits import FixEdits

        edits = FixEdits(result.current, out)
        out.line(StyledText(result.path, "path"), f": {_counts(result)}")
        out.line()
        shown: dict[Insert | Fix, str] = {}
        for diagnostic in sorted_findings(result):
            write_finding(result, diagnostic, result.current, edits, out, shown=shown)
            out.line()


def _counts(result: FileResult) -> str:
    """How many findings of a file there are, by severity; and notes."""
    notes = len(result.remaining) - len(result.faults)
    counts = [severity_totals(d.severity.value for d in result.faults), count_phrase(notes, "note") if notes else ""]
    return ", ".join(filter(None, counts))


def write_finding(
    result: FileResult,
    diagnostic: Diagnostic,
    source: Source,
    edits: FixEdits,
    out: OutputStream,
    *,
    context: int = 1,
    shown: dict[Insert | Fix, str] | None = None,
    texts: tuple[str, str] | None = None,
) -> None:
    """Write one finding in `source`, the text after `result`.

    context: lines around a change in the diff. shown: fixes above and the statements that they insert, each with the place of its
    finding; they are not shown again, and those of this finding are added. None: all are shown.
    texts: the text before and after the fix, if that is not applied to `source` itself.
    """
    write_message(result, diagnostic, out)
    _excerpt(diagnostic, source, out)
    whole = diagnostic.fix
    if whole is not None and shown is not None and whole in shown:
        out.line("  ", StyledText(TITLES[whole.applicability], "label"), f": {whole.message} (shown at {shown[whole]})")
    elif whole is not None:
        fix, above = _without_shown_inserts(whole, {} if shown is None else shown)
        if _fix(fix, source, edits, out, context, texts) and shown is not None:
            here = row_and_column(source, diagnostic.span.start)
            shown[whole] = here
            shown |= {edit: here for edit in fix.edits if isinstance(edit, Insert)}
            for edit, where in above.items():
                out.line("  ", StyledText("with", "label"), f": {' '.join(edit.text.split())} (shown at {where})")
    if diagnostic.note:
        out.line("  ", StyledText("note", "label"), f": {diagnostic.note}")


def _excerpt(diagnostic: Diagnostic, source: Source, out: OutputStream) -> None:
    """The line where the finding starts, with carets under its expression."""
    row, column = source.location(diagnostic.span.start)
    line = source.shown_line(source.line_of(diagnostic.span.start))
    for parts in underlined_excerpt(line, row, column, diagnostic.span.end - diagnostic.span.start):
        out.line(*parts)


def underlined_excerpt(
    line: str, row: int, column: int, length: int = 1
) -> tuple[tuple[StyledText | str, ...], tuple[StyledText | str, ...]]:
    """A line of code under its row, and below it carets under `length` characters from the 1-based column on."""
    line = line.rstrip("\r\n")
    start = column - 1
    end = min(start + length, len(line.rstrip()))
    before, width = _terminal_cells(line[:start]), _terminal_cells(line[start : max(end, start)])
    number = str(row)
    return (
        ("  ", StyledText(f"{number} |", "gutter"), " ", _plain(line)),
        (
            "  ",
            StyledText(" " * len(number) + " |", "gutter"),
            " " * (before + 1),
            StyledText("^" * max(width, 1), "caret"),
        ),
    )


def _without_shown_inserts(fix: Fix, shown: Mapping[Insert | Fix, str]) -> tuple[Fix, dict[Insert, str]]:
    """The fix without the inserted statements that are shown already, and these; all of it where nothing else is left."""
    above = {edit: shown[edit] for edit in fix.edits if isinstance(edit, Insert) and edit in shown}
    rest = tuple(edit for edit in fix.edits if edit not in above)
    return (fix._replace(edits=rest), above) if rest else (fix, {})


def _fix(
    fix: Fix, source: Source, edits: FixEdits, out: OutputStream, context: int, texts: tuple[str, str] | None = None
) -> bool:
    """Write the diff of a fix, or why it cannot be written; returns whether it can."""
    from placefix.report.diff import hunks, style_line
    from placefix.text_edits import splice

    changes = edits.of(fix)
    if isinstance(changes, str):
        out.line("  ", StyledText("no fix", "label"), f": {changes}")
        return False
    out.line("  ", StyledText(TITLES[fix.applicability], "label"), f": {fix.message}")
    if fix.premise:
        out.line("  ", StyledText("because", "label"), f": {fix.premise}")
    old, new = texts or (source.text, splice(source.text, changes))
    pieces = zip(source.pieces(old), source.pieces(new))
    for (name, before), (_, after) in pieces:
        if name and before != after:
            out.line("    ", StyledText(name, "label"))
        for line in hunks(before, after, context):
            out.line("    ", style_line(line))
    return True


def _plain(line: str) -> str:
    return printable(line.replace("\t", " " * _TAB).replace("\f", " "))


def _terminal_cells(text: str) -> int:
    """How many terminal cells the shown text takes."""
    shown = _plain(text)
    if shown.isascii():
        return len(shown)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in shown)
