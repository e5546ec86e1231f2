"""Text as editors count it: 0-based lines that end at CR, LF or both, columns in code units of an encoding."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import NamedTuple

from placefix.source import Source

_NAME = re.compile(r"[^\W\d]\w*")
# Code units of a str in the encodings of positions that the protocol knows.
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Position(NamedTuple):
    """0-based line, and column in code units."""

    line: int
    character: int


class TextChange(NamedTuple):
    """The text between two positions is to be `text`."""

    start: Position
    end: Position
    text: str


class PositionedText:
    """A text between offsets in code points and positions. encoding: utf-8, utf-16 or utf-32."""

    def __init__(self, text: str, encoding: str) -> None:
        self.text = text
        self._lines = Source(text)
        self._codec, self._size = _CODECS[encoding]

    def position(self, offset: int) -> Position:
        """The position of an offset."""
        row, column = self._lines.location(offset)
        return Position(row - 1, self._units(self.text[offset - column + 1 : offset]))

    def at(self, row: int, column: int) -> Position:
        """The position of a 1-based row and column, in code points; one past the end of the text is its end."""
        starts = self._lines.line_starts
        return self.position(
            min(starts[row - 1] + column - 1, len(self.text)) if row <= len(starts) else len(self.text)
        )

    def offset(self, line: int, character: int) -> int:
        """The offset of a position; past the end of its line, or inside of a character, the end of that."""
        starts = self._lines.line_starts
        if line >= len(starts):
            return len(self.text)
        content = self._lines.line(line + 1).rstrip("\r\n")
        if content.isascii():
            return starts[line] + min(character, len(content))
        units = 0
        for index, point in enumerate(content):
            if units >= character:
                return starts[line] + index
            units += self._units(point)
        return starts[line] + len(content)

    def word(self, line: int, character: int) -> str:
        """The name at a position, "" if there is none."""
        at = self.offset(line, character)
        content = self._lines.line(min(line + 1, len(self._lines.line_starts)))
        column = at - self._lines.line_starts[min(line, len(self._lines.line_starts) - 1)]
        names = (match for match in _NAME.finditer(content) if match.start() <= column <= match.end())
        return next((match[0] for match in names), "")

    def row(self, number: int) -> tuple[Position, Position]:
        """Where a 1-based row starts and ends, its line end left out."""
        number = max(1, min(number, len(self._lines.line_starts)))
        start = self._lines.line_starts[number - 1]
        return self.position(start), self.position(start + len(self._lines.line(number).rstrip("\r\n")))

    def replaced(self, start: tuple[int, int], end: tuple[int, int], text: str) -> str:
        """The text after an editor's change between two positions."""
        first = self.offset(*start)
        return self.text[:first] + text + self.text[max(first, self.offset(*end)) :]

    def changes(self, after: str) -> tuple[TextChange, ...]:
        """The changes that make the text `after`: whole lines, in order."""
        new = Source(after)
        old_lines, new_lines = ([s.line(row) for row in range(1, len(s.line_starts) + 1)] for s in (self._lines, new))
        starts = [*self._lines.line_starts, len(self.text)]
        matcher = SequenceMatcher(None, old_lines, new_lines, autojunk=False)
        return tuple(
            TextChange(self.position(starts[a]), self.position(starts[b]), "".join(new_lines[c:d]))
            for tag, a, b, c, d in matcher.get_opcodes()
            if tag != "equal"
        )

    def _units(self, text: str) -> int:
        return len(text) if text.isascii() else len(text.encode(self._codec, "surrogatepass")) // self._size
