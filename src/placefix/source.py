"""A file as decoded text: lines, positions, encoding.

Nothing here parses Python. A `Source` keeps exactly the data needed to write the file
back byte for byte: encoding, byte order mark and every newline.
"""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Span

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable

    from placefix.diagnostic import Diagnostic


class SourceError(ValueError):
    """The file cannot be decoded; the message is one line and names the reason."""


# Only these end a line for Python's tokenizer; str.splitlines() would also break at
# form feeds, U+2028 and others.
_NEWLINE = re.compile(r"\r\n|\r|\n")


class Location(NamedTuple):
    """A place for people and editors: row and column 1-based, column in code points."""

    row: int
    column: int


class Source:
    """Decoded text of one file, with the data to encode it back.

    `text` has no byte order mark and keeps every newline; offsets are 0-based code points.
    """

    # Whether offsets of `text` are those of the decoded file.
    is_verbatim = True
    # The name of the class around methods in the text whose class statement is not in the text; "" if there is none.
    unseen_class = ""
    # Why parts of the file are not analysed, in one line each: cells of a notebook.
    problems: tuple[str, ...] = ()
    # How long a line may be that a fix writes, in columns; 0: as long as the file's own are.
    limit = 0

    def __init__(self, text: str, name: str = "<string>", encoding: str = "utf-8", bom: bytes = b"") -> None:
        self.text = text
        self.name = name
        self.encoding = encoding
        self.bom = bom

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "<string>") -> Source:
        """Decode `data` as Python would (PEP 263 cookie, UTF-8 with or without BOM).

        Raises SourceError when it cannot be decoded or holds a NUL byte.
        """
        if b"\0" in data:
            raise SourceError("contains a NUL byte: not Python source")
        bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        body = data[len(bom) :]
        try:
            return (
                cls(body.decode("ascii"), name, "utf-8", bom)
                if b"coding" not in body[:512]
                else cls._cookie(data, body, name, bom)
            )
        except UnicodeDecodeError:
            return cls._cookie(data, body, name, bom)

    @classmethod
    def _cookie(cls, data: bytes, body: bytes, name: str, bom: bytes) -> Source:
        # tokenize reads lines ending in \n only; Python accepts a lone \r as well.
        head = re.sub(rb"\r\n?", b"\n", data[:2048])
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(head).readline)
        except SyntaxError as error:
            raise SourceError(f"cannot be decoded: {error.msg}") from None
        if encoding == "utf-8-sig":
            encoding = "utf-8"
        try:
            return cls(body.decode(encoding), name, encoding, bom)
        except UnicodeDecodeError as error:
            raise SourceError(
                f"cannot be decoded as {encoding}: byte 0x{error.object[error.start]:02x} at offset {error.start + len(bom)}"
            ) from None
        except (
            LookupError,
            UnicodeError,
        ):  # codecs that make no text of bytes, as rot13, or of all bytes, as undefined
            raise SourceError(f"cannot be decoded: {encoding} is no encoding of text") from None

    def with_text(self, text: str) -> Source:
        """The file after edits of its text."""
        after = Source(text, self.name, self.encoding, self.bom)
        after.limit = self.limit
        return after

    def encode(self, text: str) -> bytes:
        """Encode `text` (this file's text after edits) back to the bytes of the file."""
        return self.bom + text.encode(self.encoding)

    @cached_property
    def line_starts(self) -> list[int]:
        """Offset of the first code point of each line; always at least one entry."""
        if "\r" in self.text:
            return [0, *(m.end() for m in _NEWLINE.finditer(self.text))]
        lines = self.text.split("\n")
        lines.pop()
        return [0, *accumulate(map((1).__add__, map(len, lines)))]

    @cached_property
    def newline(self) -> str:
        """The file's dominant newline, for inserted lines; ``\\n`` where there is none."""
        found = _NEWLINE.findall(self.text)
        return max(set(found), key=found.count) if found else "\n"

    @cached_property
    def _ascii(self) -> bool:
        return self.text.isascii()

    def offset(self, lineno: int, col_utf8: int) -> int:
        """Offset for an `ast` position: 1-based line, column in UTF-8 bytes."""
        start = self.line_starts[lineno - 1]
        if self._ascii:
            return start + col_utf8
        line = self.line(lineno)
        if line.isascii():
            return start + col_utf8
        return start + len(line.encode("utf-8")[:col_utf8].decode("utf-8"))

    def line(self, lineno: int) -> str:
        """Text of a 1-based line, its newline included."""
        starts = self.line_starts
        end = starts[lineno] if lineno < len(starts) else len(self.text)
        return self.text[starts[lineno - 1] : end]

    def line_of(self, offset: int) -> int:
        """1-based line that holds `offset`."""
        return bisect_right(self.line_starts, offset)

    def span(self, node: ast.AST) -> Span:
        """Span of an `ast` node with a position. A decorated definition starts at its first decorator."""
        first = node
        decorators = getattr(node, "decorator_list", None)
        if decorators:
            # the "@" precedes the expression, on the same line
            start = self.offset(decorators[0].lineno, decorators[0].col_offset)
            start = self.text.rindex("@", 0, start)
        else:
            start = self.offset(first.lineno, first.col_offset)  # type: ignore[attr-defined]
        return Span(start, self.offset(node.end_lineno, node.end_col_offset))  # type: ignore[attr-defined]

    def segment(self, span: Span) -> str:
        """The text the span holds."""
        return self.text[span.start : span.end]

    def code(self, node: ast.AST) -> str:
        """The source text of an `ast` node."""
        return self.segment(self.span(node))

    def location(self, offset: int) -> Location:
        """1-based row and column (code points) of an offset."""
        row = self.line_of(offset)
        return Location(row, offset - self.line_starts[row - 1] + 1)

    def cell(self, offset: int) -> int | None:
        """The number of the notebook's cell that holds an offset; rows are counted in it."""
        return None

    def row_cell(self, lineno: int) -> int | None:
        """The number of the notebook's cell that holds a 1-based line of `text`."""
        return self.cell(self.line_starts[lineno - 1] + 1)

    def file_row(self, offset: int) -> int:
        """The line of the file (1-based) that holds an offset; a notebook counts lines of its JSON."""
        return self.line_of(offset)

    def judged(self, diagnostic: Diagnostic) -> Diagnostic:
        """The finding to report for a finding in this file; notebooks change some."""
        return diagnostic

    def row_name(self, lineno: int, word: str = "line") -> str:
        """How messages name a 1-based line of `text`."""
        return f"{word} {lineno}"

    def shown_line(self, lineno: int) -> str:
        """A 1-based line of `text` as the file has it, its newline included; columns of `location` are those of this line."""
        return self.line(lineno)

    def located_edits(self, edits: Iterable[tuple[int, int, str]]) -> list[tuple[Location, Location, str]]:
        """Edits of `text`, each with start, end and content, as edits of the file: of a notebook, of its cells."""
        return [(self.location(start), self.location(end), content) for start, end, content in edits]

    def pieces(self, text: str) -> list[tuple[str, str]]:
        """The pieces of `text`, this file's text after edits, for display: name and text of each; one piece without a name."""
        return [("", text)]

    def opens(self, offset: int) -> bool:
        """Whether an offset is at the start of the visible text."""
        return offset == 0

    def closes(self, offset: int) -> bool:
        """Whether an offset is at the end of the visible text."""
        return offset == len(self.text)

    def displays(self, offset: int) -> bool:
        """Whether the value of an expression that ends at an offset is shown."""
        return False

    def keeps(self, start: int, end: int) -> bool:
        """Whether an edit of [start, end) would touch protected text."""
        return False
