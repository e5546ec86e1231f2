"""The lines of a file that a run with `--base-ref` is limited to, followed through fixes."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.diagnostic import Span
    from placefix.source import Source

# First and last line of each range: 1-based, ended by line feeds alone, as git counts them.
Rows = tuple[tuple[int, int], ...]


class ChangedLines:
    """Lines of one file. Lines written by fixes belong to them: they have changed as well."""

    def __init__(self, source: Source, rows: Rows) -> None:
        """rows: those of the file that `source` was read from."""
        self._old = _split_lines(source)
        self._rows = frozenset(row for first, last in rows for row in range(first, last + 1))
        self._now = (source.text, self._rows)

    def touches(self, source: Source, span: Span) -> bool:
        """Whether a range of `source`, the file after fixes of any number, has to do with one of the lines."""
        if self._now[0] != source.text:
            self._now = (source.text, self._rows_after(_split_lines(source)))
        rows = self._now[1]
        return any(row in rows for row in _rows(source, span))

    def _rows_after(self, new: list[bytes]) -> frozenset[int]:
        old = self._old
        short = min(len(old), len(new))
        head = next((at for at in range(short) if old[at] != new[at]), short)
        tail = next((at for at in range(short - head) if old[-1 - at] != new[-1 - at]), short - head)
        matcher = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False)
        blocks = [(a + head, b + head, size) for a, b, size in matcher.get_matching_blocks()]
        blocks = [(0, 0, head), *blocks, (len(old) - tail, len(new) - tail, tail)]
        kept = {b + at + 1: a + at + 1 for a, b, size in blocks for at in range(size)}
        return frozenset(row for row in range(1, len(new) + 1) if row not in kept or kept[row] in self._rows)


def _split_lines(source: Source) -> list[bytes]:
    return source.encode(source.text).split(b"\n")


def _rows(source: Source, span: Span) -> Iterator[int]:
    """The lines of the file (1-based) that a range of its text is on."""
    last = source.line_of(max(span.start, span.end - 1))
    starts: Iterable[int] = source.line_starts[source.line_of(span.start) : last]
    for offset in (span.start, *starts):
        cell = source.cell(offset)
        yield source.file_row(offset) if cell is not None else source.text.count("\n", 0, offset) + 1
