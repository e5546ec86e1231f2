"""The code of a text that is not parsed: strings and comments blanked, and the function around a position."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from placefix.byte_patterns import in_bytes
from placefix.prefilter.source_patterns import ARGUMENTS

if TYPE_CHECKING:
    import re

# A comment, a string of one of the four quotes, or a quote that begins none. A pattern that begins with a set of characters
# is several times faster than one with several alternatives.
_QUOTED = (
    r"""[#"'](?s:(?<=\#)[^\r\n]*"""
    r"""|(?<=")(?:\"\"[^\"\\]*(?:(?:\\.|\"(?!\"\"))[^\"\\]*)*\"\"\"|[^\"\\\n]*(?:\\.[^\"\\\n]*)*\")"""
    r"""|(?<=')(?:''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''|[^'\\\n]*(?:\\.[^'\\\n]*)*')|)"""
)
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") | frozenset(range(128, 256))
_PLAIN_PREFIXES = frozenset((b"r", b"b", b"u", b"br", b"rb"))
_CODE_PREFIXES = frozenset((b"f", b"rf", b"fr", b"t", b"rt", b"tr"))  # their braces hold code
_KEYWORDS = frozenset(
    b"and as assert elif else except exec from if import in is lambda not or print raise return while with yield".split()
)
# A pattern that begins with a word is many times faster.
_DEF = r"def(?<!\wdef)[ \t\\\r\n]+(\w+)"
_CLASS = r"class(?<!\wclass)[ \t\\\r\n]+(\w+)"
_MAX_TRIED = 200  # lines that may be the first behind a block
_BRACES = r"(\{[^{}]*\})"
_COOKIE = r"coding[=:](?![ \t]*(?:utf-?8|ascii|latin-?1|iso-8859-1\b))"


class Block(NamedTuple):
    """A ``def`` or ``class``. start: of its line; named: behind its name; indent: in characters."""

    is_class: bool
    name: bytes
    start: int
    named: int
    indent: int


_start = attrgetter("start")


def _balanced(code: bytes) -> bool:
    """Whether as many brackets are closed as are opened."""
    return (
        code.count(b"(") == code.count(b")")
        and code.count(b"[") == code.count(b"]")
        and code.count(b"{") == code.count(b"}")
    )


def _expressions(token: bytes) -> bytes:
    """A string with only the code in its braces left. Raises ValueError if that is not certain."""
    parts = in_bytes(_BRACES).split(token)
    if any(b"{" in text or b"}" in text for text in parts[::2]) or not all(map(_balanced, parts[1::2])):
        if not _balanced(token):
            raise ValueError
        return token.replace(b"\n", b" ")
    return b"".join(part.replace(b"\n", b" ") if number % 2 else b"_" * len(part) for number, part in enumerate(parts))


class BlockIndex:
    """One text. data: its bytes, in an encoding that keeps ASCII."""

    def __init__(self, data: bytes) -> None:
        self.data = data.removeprefix(b"\xef\xbb\xbf")
        self._ends: dict[int, int] = {}

    @cached_property
    def code(self) -> bytes | None:
        """The text with strings and comments blanked, of the same length; None if that is uncertain."""
        data = self.data
        if (
            b"\f" in data
            or data.count(b"\r") != data.count(b"\r\n")
            or any(map(in_bytes(_COOKIE).search, data.split(b"\n", 2)[:2]))
        ):
            return None
        try:
            return in_bytes(_QUOTED).sub(self._blank, data)
        except ValueError:
            return None

    def _blank(self, match: re.Match[bytes]) -> bytes:
        """The replacement of a string or comment. Raises ValueError if it may be neither."""
        token = match[0]
        size = len(token)
        if token[0] == 35:
            return b" " * size
        if size == 1:
            raise ValueError
        start = match.start()
        if start and self.data[start - 1] in _WORD:
            first = start - 1
            while first and self.data[first - 1] in _WORD:
                first -= 1
            prefix = self.data[first:start].lower()
            if prefix in _CODE_PREFIXES:
                return _expressions(token)
            if prefix not in _PLAIN_PREFIXES and prefix not in _KEYWORDS:
                raise ValueError
        return b"_" * size

    # --- blocks ---------------------------------------------------------------------------------

    @cached_property
    def blocks(self) -> list[Block]:
        """The definitions of the text, in their order."""
        code = self.code or b""
        found = []
        for header in (_DEF, _CLASS):
            for match in in_bytes(header).finditer(code):
                at = match.start()
                start = code.rfind(b"\n", 0, at) + 1
                before = code[start:at]
                if before.strip(b" \t") in (b"", b"async"):
                    found.append(
                        Block(header is _CLASS, match[1], start, match.end(), len(before) - len(before.lstrip(b" \t")))
                    )
        return sorted(found, key=_start)

    def end(self, block: Block) -> int:
        """Where the first statement behind a block begins, or the text ends. Raises ValueError where that is not found soon."""
        found = self._ends.get(block.start)
        if found is None:
            found = self._ends[block.start] = self._end(block)
        return found

    def _end(self, block: Block) -> int:
        code = self.code or b""
        lines = in_bytes(rf"\n[ \t]{{0,{block.indent}}}(?=[^\s])").finditer(code, block.named)
        for tried, match in enumerate(lines, 1):
            at = match.start()
            body = code[block.start : at]
            joined = body.rstrip(b"\r").endswith(b"\\")
            if not joined and _balanced(body):
                return at
            if tried > _MAX_TRIED:
                raise ValueError
        return len(code)

    def around(self, at: int) -> list[Block]:
        """The blocks that contain a position, the innermost first."""
        found = []
        number = bisect_right(self._starts, at) - 1
        while number >= 0:
            block = self.blocks[number]
            if self.end(block) > at:
                found.append(block)
            number = self._outer[number]
        return found

    @cached_property
    def _starts(self) -> list[int]:
        return [block.start for block in self.blocks]

    @cached_property
    def _outer(self) -> list[int]:
        """For each block the number of the one above it that is indented less, -1 for none."""
        found: list[int] = []
        open_blocks: list[int] = []  # each indented more than the one before
        for number, block in enumerate(self.blocks):
            while open_blocks and self.blocks[open_blocks[-1]].indent >= block.indent:
                open_blocks.pop()
            found.append(open_blocks[-1] if open_blocks else -1)
            open_blocks.append(number)
        return found

    def within(self, block: Block) -> list[Block]:
        """The blocks in a block."""
        return self.blocks[bisect_right(self._starts, block.start) : bisect_left(self._starts, self.end(block))]

    def inside(self, block: Block) -> bytes:
        """The code of a block."""
        return (self.code or b"")[block.start : self.end(block)]

    # --- classes --------------------------------------------------------------------------------

    @cached_property
    def classes(self) -> dict[bytes, list[Block]]:
        """The classes of the text by their names."""
        found: dict[bytes, list[Block]] = {}
        for block in self.blocks:
            if block.is_class:
                found.setdefault(block.name, []).append(block)
        return found

    def bases(self, block: Block) -> frozenset[bytes]:
        """The words among the bases of a class; none where they are not found for certain."""
        return self._bases[block.start] or frozenset()

    @cached_property
    def _bases(self) -> dict[int, frozenset[bytes] | None]:
        """By the start of a class: the words between its parentheses; None where they are not found for certain."""
        code = self.code or b""
        found: dict[int, frozenset[bytes] | None] = {}
        for block in self.blocks:
            if block.is_class:
                given = in_bytes(rf"\s*({ARGUMENTS})?\s*:").match(code, block.named)
                found[block.start] = (
                    None if given is None else frozenset(in_bytes(r"\w+").findall(given[1] or b"")) - {b"object"}
                )
        return found
