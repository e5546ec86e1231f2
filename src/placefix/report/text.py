"""Findings for people, file by file: where, what, the line itself, the repair as a diff, and why not.

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
from placefix.report.concise import in_order, kind, mark, place, spot
from placefix.report.stream import Part, counted, printable, totals

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from placefix.batch import FileResult
    from placefix.diagnostic import Diagnostic, Fix
    from placefix.report.edits import Edits
    from placefix.report.stream import Stream
    from placefix.source import Source

# What a fix is called by its promise.
TITLES = {
    Applicability.SAFE: "fix",
    Applicability.UNSAFE: "unsafe fix",
    Applicability.DISPLAY: "suggestion, never applied",
}
_TAB = 4


def render(results: Iterable[FileResult], out: Stream) -> None:
    for result in results:
        if result.current is None or not result.remaining:
            continue
        from placefix.report.edits import Edits

        edits = Edits(result.current, out)
        out.line(Part(result.path, "path"), f": {_counts(result)}")
        out.line()
        shown: dict[Insert | Fix, str] = {}
        for diagnostic in in_order(result):
            finding(result, diagnostic, result.current, edits, out, shown=shown)
            out.line()


def _counts(result: FileResult) -> str:
    """How many findings of a file there are, by severity; and notes."""
    notes = len(result.remaining) - len(result.faults)
    counts = [totals(d.severity.value for d in result.faults), counted(notes, "note") if notes else ""]
    return ", ".join(filter(None, counts))


def finding(
    result: FileResult,
    diagnostic: Diagnostic,
    source: Source,
    edits: Edits,
    out: Stream,
    *,
    context: int = 1,
    shown: dict[Insert | Fix, str] | None = None,
    texts: tuple[str, str] | None = None,
) -> None:
    """Write one finding in `source`, which is what `result` leaves.

    context: lines around a change in the diff. shown: fixes above and the statements that they insert, each with the place of its
    finding; they are not shown again, and those of this finding are added. None: all are shown.
    texts: the text before and after the fix, where that is not applied to `source` itself.
    """
    out.line(*place(result, diagnostic), *kind(diagnostic, out), *mark(result, diagnostic), f" {diagnostic.message}")
    _excerpt(diagnostic, source, out)
    whole = diagnostic.fix
    if whole is not None and shown is not None and whole in shown:
        out.line("  ", Part(TITLES[whole.applicability], "label"), f": {whole.message} (shown at {shown[whole]})")
    elif whole is not None:
        fix, above = _unshown(whole, {} if shown is None else shown)
        if _fix(fix, source, edits, out, context, texts) and shown is not None:
            here = spot(source, diagnostic.span.start)
            shown[whole] = here
            shown |= {edit: here for edit in fix.edits if isinstance(edit, Insert)}
            for edit, where in above.items():
                out.line("  ", Part("with", "label"), f": {' '.join(edit.text.split())} (shown at {where})")
    if diagnostic.note:
        out.line("  ", Part("note", "label"), f": {diagnostic.note}")


def _excerpt(diagnostic: Diagnostic, source: Source, out: Stream) -> None:
    """The line where the finding starts, with carets under what the finding is about."""
    row, column = source.location(diagnostic.span.start)
    line = source.line(source.line_of(diagnostic.span.start))
    for parts in marked(line, row, column, diagnostic.span.end - diagnostic.span.start):
        out.line(*parts)


def marked(line: str, row: int, column: int, length: int = 1) -> tuple[tuple[Part | str, ...], tuple[Part | str, ...]]:
    """A line of code under its row, and below it carets under `length` characters from the 1-based column on."""
    line = line.rstrip("\r\n")
    start = column - 1
    end = min(start + length, len(line.rstrip()))
    before, width = _cells(line[:start]), _cells(line[start : max(end, start)])
    number = str(row)
    return (
        ("  ", Part(f"{number} |", "gutter"), " ", _plain(line)),
        ("  ", Part(" " * len(number) + " |", "gutter"), " " * (before + 1), Part("^" * max(width, 1), "caret")),
    )


def _unshown(fix: Fix, shown: Mapping[Insert | Fix, str]) -> tuple[Fix, dict[Insert, str]]:
    """The fix without the inserted statements that are shown already, and these; all of it where nothing else is left."""
    above = {edit: shown[edit] for edit in fix.edits if isinstance(edit, Insert) and edit in shown}
    rest = tuple(edit for edit in fix.edits if edit not in above)
    return (fix._replace(edits=rest), above) if rest else (fix, {})


def _fix(
    fix: Fix, source: Source, edits: Edits, out: Stream, context: int, texts: tuple[str, str] | None = None
) -> bool:
    """Write what a fix changes, or why it cannot be written; whether it can."""
    from placefix.report.diff import hunks, styled
    from placefix.text_edits import splice

    changes = edits.of(fix)
    if isinstance(changes, str):
        out.line("  ", Part("no fix", "label"), f": {changes}")
        return False
    out.line("  ", Part(TITLES[fix.applicability], "label"), f": {fix.message}")
    if fix.premise:
        out.line("  ", Part("because", "label"), f": {fix.premise}")
    old, new = texts or (source.text, splice(source.text, changes))
    pieces = zip(source.pieces(old), source.pieces(new))
    for (name, before), (_, after) in pieces:
        if name and before != after:
            out.line("    ", Part(name, "label"))
        for line in hunks(before, after, context):
            out.line("    ", styled(line))
    return True


def _plain(line: str) -> str:
    return printable(line.replace("\t", " " * _TAB).replace("\f", " "))


def _cells(text: str) -> int:
    """How many terminal cells the shown text takes."""
    shown = _plain(text)
    if shown.isascii():
        return len(shown)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in shown)
