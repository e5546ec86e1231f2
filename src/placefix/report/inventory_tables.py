"""`placefix inventory` as a table, as JSON or as Markdown: by use, and by file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from placefix.cuda_inventory import KINDS, MEANINGS
from placefix.report.output_stream import StyledText, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from placefix.cuda_inventory import FileUsages
    from placefix.report.output_stream import OutputStream

# One line of the inventory: kind, name, note, and the rows of each file that has it.
_Entry = tuple[str, str, str, dict[str, list[int]]]
_USES = ("uses", "files", "use", "note")
_FILES = ("file", *KINDS)


def render(output_format: str, found: Sequence[FileUsages], out: OutputStream) -> None:
    """Write the inventory to `out`. Raises KeyError for a format not in FORMATS."""
    FORMATS[output_format](found, out)


def _entries(found: Sequence[FileUsages]) -> list[_Entry]:
    """The ties of all files by kind, name and note; of each kind the most frequent first."""
    grouped: dict[tuple[str, str, str], dict[str, list[int]]] = {}
    for file in found:
        for tie in file.usages:
            grouped.setdefault((tie.kind, tie.name, tie.note), {}).setdefault(file.path, []).append(tie.row)
    order = sorted(grouped.items(), key=lambda item: (KINDS.index(item[0][0]), -_count(item[1]), item[0]))
    return [(*key, files) for key, files in order]


def _count(files: dict[str, list[int]]) -> int:
    return sum(map(len, files.values()))


def _sections(found: Sequence[FileUsages]) -> list[tuple[str, Sequence[str], list[tuple[str, ...]]]]:
    """(title, headers, rows) of each table."""
    entries = _entries(found)
    sections: list[tuple[str, Sequence[str], list[tuple[str, ...]]]] = []
    for kind in KINDS:
        rows: list[tuple[str, ...]] = [
            (str(_count(f)), str(len(f)), name, note) for k, name, note, f in entries if k == kind
        ]
        if rows:
            sections.append((f"{kind}: {MEANINGS[kind]}", _USES, rows))
    by_file: list[tuple[str, ...]] = [
        (f.path, *(str(sum(t.kind == kind for t in f.usages)) for kind in KINDS)) for f in found if f.usages
    ]
    return [*sections, ("by file", _FILES, by_file)] if by_file else []


def _table(found: Sequence[FileUsages], out: OutputStream) -> None:
    for title, headers, rows in _sections(found):
        numbers = frozenset((0, 1)) if headers is _USES else frozenset(range(1, len(headers)))
        if out.colour:
            from placefix.report.terminal import table

            shown = [tuple(printable(cell, terminal=True) for cell in row) for row in rows]
            out.block(table(title, headers, shown, numbers))
            continue
        out.line(StyledText(title, "header"))
        widths = [max(len(printable(row[n])) for row in (headers, *rows)) for n in range(len(headers))]
        for row in (headers, *rows):
            cells = (
                printable(c).rjust(w) if n in numbers else printable(c).ljust(w)
                for n, (c, w) in enumerate(zip(row, widths, strict=True))
            )
            out.line(("  " + "  ".join(cells)).rstrip())
        out.line()


def _markdown(found: Sequence[FileUsages], out: OutputStream) -> None:
    out.line("# What ties this code to CUDA")
    for title, headers, rows in _sections(found):
        out.line()
        out.line(f"## {title[0].upper()}{title[1:]}")
        out.line()
        out.line("| " + " | ".join(headers) + " |")
        out.line("|" + "---|" * len(headers))
        for row in rows:
            name = 2 if headers is _USES else 0
            cells = (f"`{_cell(c)}`" if n == name else _cell(c) for n, c in enumerate(row))
            out.line("| " + " | ".join(cells) + " |")


def _cell(text: str) -> str:
    return printable(text).replace("|", "\\|")


def _json(found: Sequence[FileUsages], out: OutputStream) -> None:
    import json

    def clean(path: str) -> str:
        """The path as valid Unicode: JSON cannot hold a file name that is not text."""
        return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")

    uses: list[dict[str, Any]] = [
        {
            "use": name,
            "class": kind,
            "note": note,
            "count": _count(files),
            "files": [{"filename": clean(path), "count": len(rows), "rows": rows} for path, rows in files.items()],
        }
        for kind, name, note, files in _entries(found)
    ]
    counts = {kind: sum(use["count"] for use in uses if use["class"] == kind) for kind in KINDS}
    out.block(json.dumps({"counts": counts, "uses": uses}, indent=2))


FORMATS: dict[str, Callable[[Sequence[FileUsages], OutputStream], None]] = {
    "table": _table,
    "json": _json,
    "markdown": _markdown,
}
