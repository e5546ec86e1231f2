"""Jupyter notebooks: the code cells as one program, which is written back cell by cell.

In the program a comment line heads each code cell and stays where it is; IPython syntax is replaced by statements
(`ipython`). Both are fixed: an edit that touches them is refused. The rest is a Source like any other.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from placefix import fragment
from placefix.diagnostic import Applicability, Move, Span
from placefix.engine import ParseError, parse
from placefix.notebook.document import NotebookFile
from placefix.notebook.ipython import CellProgram, locate_replaced, translate_cell
from placefix.source import Location, Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.fragment import PastedLines
    from placefix.notebook.ipython import ReplacedLines


class _Cell(NamedTuple):
    """A code cell in the program. ended: whether a newline was added to its text. pasted: its lines, where they are pasted code."""

    number: int
    hidden: tuple[ReplacedLines, ...]
    whole: bool
    ended: bool
    pasted: PastedLines | None = None


class _Cells(NamedTuple):
    """The parts of a notebook that edits of its program do not change. word: the word that marks the lines between cells."""

    document: NotebookFile
    word: str
    cells: tuple[_Cell, ...]


class _Part(NamedTuple):
    """A cell's place in the program: its head starts at `head`, its text is [start, end)."""

    cell: _Cell
    head: int
    start: int
    end: int


class Notebook(Source):
    """The code cells of a notebook as one program; `encode` gives the file back."""

    is_verbatim = False

    def __init__(self, text: str, name: str, bom: bytes, cells: _Cells, problems: tuple[str, ...] = ()) -> None:
        """text: the program, before or after edits. problems: why cells are not analysed, a line for each."""
        super().__init__(text, name, "utf-8", bom)
        self._cells = cells
        self.problems = problems

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "<notebook>", *, legacy: bool = True) -> Notebook:
        """Read a notebook. legacy: `async=` is mended, and does not keep a cell from being analysed.

        Raises SourceError where it is none of format 4. A cell that is not Python is left out, with its problem.
        """
        bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        try:
            raw = data[len(bom) :].decode()
        except UnicodeDecodeError as error:
            raise SourceError(
                f"cannot be decoded as utf-8: byte 0x{error.object[error.start]:02x} at offset {error.start + len(bom)}"
            ) from None
        document = NotebookFile(raw)
        word = "_ipynb"
        while word in raw:
            word += "_"
        parts: list[str] = []
        cells: list[_Cell] = []
        problems: list[str] = []
        newline = "\r\n" if any("\r\n" in cell.text for cell in document.cells) else "\n"
        for cell in document.cells if document.python else ():
            marks = (f"{word}{cell.number}_{nth}" for nth in range(len(cell.text) + 1))
            read = translate_cell(cell.text, lambda marks=marks: next(marks), earlier="".join(parts), legacy=legacy)  # type: ignore[misc]
            pasted = None
            if read.whole and isinstance(
                lines := fragment.read(cell.text, f"{word}{cell.number}"), fragment.PastedLines
            ):
                pasted, read = lines, CellProgram(lines.text)
            ended = bool(read.text) and not read.text.endswith(("\n", "\r"))
            parts += f"# %% {word}{cell.number}{newline}", read.text, newline if ended else ""
            cells.append(_Cell(cell.number, read.hidden, read.whole, ended, pasted))
            if read.broken:
                problems.append(f"cell {cell.number}: {_problem(read.broken)}")
        return cls("".join(parts), name, bom, _Cells(document, word, tuple(cells)), tuple(problems))

    def with_text(self, text: str) -> Notebook:
        """The notebook after edits of its program."""
        after = Notebook(text, self.name, self.bom, self._cells, self.problems)
        after.limit = self.limit
        return after

    def encode(self, text: str) -> bytes:
        """The bytes of the file for `text`, the program after edits. Raises SourceError if a fixed line of it is missing."""
        texts = dict(self._shown(text))
        return self.bom + self._cells.document.replaced(texts).encode("utf-8", "surrogatepass")

    def location(self, offset: int) -> Location:
        """1-based row and column (code points) in the cell of an offset."""
        row, column = super().location(offset)
        part = self._part(offset)
        return Location(row - self.line_of(part.start) + 1 if part else row, column)

    def cell(self, offset: int) -> int | None:
        """The number of the cell that holds an offset, 1-based among all cells."""
        part = self._part(offset)
        return part.cell.number if part else None

    def file_row(self, offset: int) -> int:
        """The line of the file (1-based), not of the program, that has the line of an offset."""
        part = self._part(offset)
        if part is None:
            return 1
        return self._document.row(part.cell.number, self.location(offset).row)

    def judged(self, diagnostic: Diagnostic) -> Diagnostic:
        """The finding; its fix is unsafe if it moves statements between cells that were not run in their order, or is in a
        cell that may raise on purpose."""
        fix = diagnostic.fix
        if fix is None or fix.applicability is not Applicability.SAFE:
            return diagnostic
        from placefix.facts import premises
        from placefix.facts.finding import made_unsafe

        document = self._cells.document
        moves = (edit for edit in fix.edits if isinstance(edit, Move))
        if (
            any(self._cell(span) != self._cell(move.anchor) for move in moves for span in move.statements)
            and not document.in_order
        ):
            return diagnostic._replace(fix=made_unsafe(fix, premises.CELLS_IN_ORDER))
        if self._cell(diagnostic.span) in document.shows_errors:
            return diagnostic._replace(fix=made_unsafe(fix, premises.ERROR_NOT_SHOWN))
        return diagnostic

    def _cell(self, span: Span) -> int | None:
        return self.cell(span.start + 1)

    def row_name(self, lineno: int, word: str = "line") -> str:
        """`cell 3, line 2`"""
        part = self._part(self.line_starts[lineno - 1] + 1)
        return (
            f"cell {part.cell.number}, {word} {lineno - self.line_of(part.start) + 1}" if part else f"{word} {lineno}"
        )

    def pieces(self, text: str) -> list[tuple[str, str]]:
        """The cells by name, as `text`, the program after edits, has them."""
        return [(f"cell {number}", shown) for number, shown in self._shown(text)]

    def opens(self, offset: int) -> bool:
        """Whether a cell starts at an offset."""
        part = self._part(offset)
        return part is not None and part.start == offset

    def closes(self, offset: int) -> bool:
        """Whether a cell ends at an offset."""
        part = self._part(offset)
        return part is not None and part.end == offset

    def displays(self, offset: int) -> bool:
        """Whether only comments follow an offset in its cell: IPython shows the value of the last expression unless a semicolon follows."""
        part = self._part(offset)
        below = self.text[offset : part.end].splitlines() if part is not None else ["?"]
        return not any(line.partition("#")[0].strip() for line in below)

    def keeps(self, start: int, end: int) -> bool:
        """Whether an edit of [start, end) would touch a fixed line."""
        return any(
            (fixed.start < end and start < fixed.end) if start < end else fixed.start < start < fixed.end
            for cell in self._fixed[self._number(start) : self._number(end) + 1]
            for fixed in cell
        )

    @cached_property
    def _document(self) -> NotebookFile:
        """The file as `text` makes it."""
        return NotebookFile(self.encode(self.text).decode("utf-8-sig"))

    @cached_property
    def _parts(self) -> list[_Part]:
        return self._split(self.text)

    @cached_property
    def _fixed(self) -> list[list[Span]]:
        """The fixed lines of each cell."""
        return [list(self._fixed_lines(part)) for part in self._parts]

    def _fixed_lines(self, part: _Part) -> Iterator[Span]:
        if part.cell.whole:
            yield Span(part.head, part.end + 1)  # and nothing is written below it in its cell
            return
        end = part.start
        if part.cell.pasted is not None:
            lines = part.cell.pasted.edited(self._body(part))
            yield from (Span(part.start + span.start, part.start + span.end) for span in lines.fixed)
        for at, hidden in locate_replaced(part.cell.hidden, self.text[part.start : part.end]):
            here = Span(part.start + at, part.start + at + len(hidden.shown))
            if hidden.head:
                end = here.end + 1
            else:
                yield here
        yield Span(part.head, end)

    def _part(self, offset: int) -> _Part | None:
        """The cell of an offset: where one ends and the next one's head starts, the former."""
        return self._parts[self._number(offset)] if self._parts else None

    def _number(self, offset: int) -> int:
        """The index of that cell."""
        return max(bisect_left(self._parts, offset, key=attrgetter("head")) - 1, 0)

    def _split(self, text: str) -> list[_Part]:
        """The cells of a program. Raises SourceError unless all are there, in order."""
        heads = list(re.finditer(rf"(?<![^\r\n])# %% {self._cells.word}(\d+)(?:\r\n|\n)", text))
        if [int(head[1]) for head in heads] != [cell.number for cell in self._cells.cells] or (
            heads and heads[0].start()
        ):
            raise SourceError("the cells of the notebook are not where they were")
        ends = [head.start() for head in heads[1:]] + [len(text)]
        return [_Part(cell, head.start(), head.end(), end) for cell, head, end in zip(self._cells.cells, heads, ends)]

    def _body(self, part: _Part, text: str | None = None) -> str:
        """The program of a cell, without the newline that was added to it."""
        body = (self.text if text is None else text)[part.start : part.end]
        if not part.cell.ended:
            return body
        return body.removesuffix("\r\n") if body.endswith("\r\n") else body.removesuffix("\n")

    def _shown(self, text: str) -> Iterator[tuple[int, str]]:
        """Number and text of each cell as the notebook has it."""
        for part in self._split(text):
            body = self._body(part, text)
            if part.cell.pasted is not None:
                yield part.cell.number, part.cell.pasted.edited(body).restored()
                continue
            try:
                places = list(locate_replaced(part.cell.hidden, body))
            except LookupError:
                raise SourceError(f"cell {part.cell.number}: a line of IPython's is not where it was") from None
            for at, hidden in reversed(places):
                body = body[:at] + hidden.original + body[at + len(hidden.shown) :]
            yield part.cell.number, body


def _problem(text: str) -> str:
    """Why a cell cannot be parsed, in one line."""
    try:
        parse(Source(text))
    except ParseError as error:
        return str(error)
    return "line 1: cannot be parsed"
