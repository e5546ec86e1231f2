"""What a text shows of its code before it is parsed: its strings and comments set aside, and which function a
place stands in.

Parsing costs ten times as much as a look at the text, and most texts that hold a rule's words hold them where the
rule finds nothing. What is answered here is only ever whether it *cannot* matter: where a text is not read for
certain (an encoding of its own, an odd quote), it may.
"""

from __future__ import annotations

from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

from placefix.lazy import NamedTuple, in_bytes
from placefix.spelling import (
    ARGUMENTS,
    HOLDS_MADE,
    IMPORTS_FACTORY,
    MAKES_ON_HOST,
    MAKES_ON_HOST_WITH_TORCH,
    RENAMES_FACTORY,
    RENAMES_TORCH,
)

if TYPE_CHECKING:
    import re

# A comment, a string of one of the four quotes, or a quote that begins none.
_QUOTED = (
    r"""(?s:#[^\r\n]*"""
    r"""|\"\"\"[^\"\\]*(?:(?:\\.|\"(?!\"\"))[^\"\\]*)*\"\"\"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"""
    r"""|\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'|[\"'])"""
)
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") | frozenset(range(128, 256))
_PLAIN_PREFIXES = frozenset((b"r", b"b", b"u", b"br", b"rb"))
_CODE_PREFIXES = frozenset((b"f", b"rf", b"fr", b"t", b"rt", b"tr"))  # code stands in their braces
_KEYWORDS = frozenset(b"and as assert elif else except exec from if import in is lambda not or print raise return while with yield".split())
# What starts with a word is found many times faster.
_DEF = r"def(?<!\wdef)[ \t\\\r\n]+(\w+)"
_CLASS = r"class(?<!\wclass)[ \t\\\r\n]+(\w+)"
_MAX_TRIED = 200  # lines that may be the first behind a block
_BRACES = r"(\{[^{}]*\})"
_COOKIE = r"coding[=:](?![ \t]*(?:utf-?8|ascii|latin-?1|iso-8859-1\b))"

_KEEPS_CONTAINER = r"self\.\w+\s*=\s*[\[{]"
_NAMES_CONTAINER = r"[\n;:][ \t]*(\w+)\s*=\s*[\[{]"
_KEEPS_NAME = r"self\.\w+\s*=\s*(\w+)"

# Methods that make or describe the module: nothing is computed there.
NOT_RUN = frozenset(
    ["__init__", "__repr__", "extra_repr", "reset_parameters", "init_weights", "_init_weights", "load_state_dict", "state_dict", "__getstate__", "__setstate__"]
)
# Behind a creation: its tensor goes elsewhere at once.
_SENT = rf"{ARGUMENTS}(?:\.(?:float|long|int|double|half|bool|unsqueeze|view|repeat)\([\w\s,.:()-]*?\))*\.(?:cuda\s*\(|to\s*\(\s*[\w.]*\bdevice\s*[,)])"
# Before a creation: only numbers are read of it.
_COUNTED = r"\b(\w+)\.(?:item|tolist)\(\)\s+for\s+\1\s+in\s*\Z"
_ALL_COUNTED = rf"{ARGUMENTS}(?:\.split\([\w.]+\))?\s*[\])]"
_REGISTERS = r"\b(?:Parameter|register_buffer)\s*\Z"
_OPENS = r"[()]"
_MOVES = r"^[^\"'\n]*\.(?:to|cuda|cpu|xpu)\s*\("


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
    return code.count(b"(") == code.count(b")") and code.count(b"[") == code.count(b"]") and code.count(b"{") == code.count(b"}")


def _expressions(token: bytes) -> bytes:
    """A string with what stands in its braces alone. Raises ValueError where that is not certain."""
    parts = in_bytes(_BRACES).split(token)
    if any(b"{" in text or b"}" in text for text in parts[::2]) or not all(map(_balanced, parts[1::2])):
        if not _balanced(token):
            raise ValueError
        return token.replace(b"\n", b" ")
    return b"".join(part.replace(b"\n", b" ") if number % 2 else b"_" * len(part) for number, part in enumerate(parts))


class Glance:
    """One text. data: its bytes, in an encoding that keeps ASCII."""

    def __init__(self, data: bytes) -> None:
        self.data = data.removeprefix(b"\xef\xbb\xbf")
        self._ends: dict[int, int] = {}
        self._computing: dict[int, bool] = {}

    @cached_property
    def code(self) -> bytes | None:
        """The text with strings and comments blanked, as long as before; None where that cannot be told."""
        data = self.data
        if b"\f" in data or data.count(b"\r") != data.count(b"\r\n") or any(map(in_bytes(_COOKIE).search, data.split(b"\n", 2)[:2])):
            return None
        try:
            return in_bytes(_QUOTED).sub(self._blank, data)
        except ValueError:
            return None

    def _blank(self, match: re.Match[bytes]) -> bytes:
        """What stands for a string or comment. Raises ValueError where it may be neither."""
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

    def may(self, question: str) -> bool:
        """What the method of this name answers; True where that cannot be told."""
        try:
            return bool(getattr(self, question)())
        except ValueError:
            return True

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
                    found.append(Block(header is _CLASS, match[1], start, match.end(), len(before) - len(before.lstrip(b" \t"))))
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
        """The blocks that a place stands in, the innermost first."""
        found = []
        limit = len(self.data)
        for block in reversed(self.blocks):
            if block.start <= at and block.indent < limit:
                limit = block.indent
                if self.end(block) > at:
                    found.append(block)
                if not limit:
                    break
        return found

    def inside(self, block: Block) -> bytes:
        """The code of a block."""
        return (self.code or b"")[block.start : self.end(block)]

    # --- classes --------------------------------------------------------------------------------

    @cached_property
    def _bases(self) -> dict[int, frozenset[bytes] | None]:
        """By the start of a class: the words between its parentheses; None where they are not found for certain."""
        code = self.code or b""
        found: dict[int, frozenset[bytes] | None] = {}
        for block in self.blocks:
            if block.is_class:
                given = in_bytes(rf"\s*({ARGUMENTS})?\s*:").match(code, block.named)
                found[block.start] = None if given is None else frozenset(in_bytes(r"\w+").findall(given[1] or b"")) - {b"object"}
        return found

    @cached_property
    def _derived(self) -> frozenset[bytes]:
        """The words that stand among the bases of classes."""
        return frozenset().union(*filter(None, self._bases.values()))

    def _computes(self, block: Block) -> bool:
        """Whether a class may be, or be part of, a module with a ``forward`` of this text whose parts do not lie where its constructor says."""
        found = self._computing.get(block.start)
        if found is None:
            found = self._computing[block.start] = self._may_compute(block)
        return found

    def _may_compute(self, block: Block) -> bool:
        bases = self._bases[block.start]
        if bases is None or None in self._bases.values():
            return True
        derived = block.name in self._derived
        if not bases and not derived:
            return False
        own = [b for b in self.blocks if block.start < b.start < self.end(block)]
        names = {b.name for b in self.blocks if b.is_class}
        if not (bases & names or derived or any(b.name == b"forward" for b in own)):
            return False
        made = [b for b in own if b.name == b"__init__"]
        if len(made) != 1 or self.around(made[0].start)[1] is not block:
            return True
        return not in_bytes(_MOVES).search(self.inside(made[0]))

    # --- tensors made on the host -----------------------------------------------------------------

    @cached_property
    def creations(self) -> list[int] | None:
        """Where a tensor is made on the host that does not leave it at once; None where that cannot be told."""
        code = self.code
        if code is None:
            return None
        imported = in_bytes(IMPORTS_FACTORY).search(code)
        if imported and in_bytes(RENAMES_FACTORY).search(code):
            return None
        renamed = imported or in_bytes(RENAMES_TORCH).search(code)
        found = in_bytes(MAKES_ON_HOST if renamed else MAKES_ON_HOST_WITH_TORCH).finditer(code)
        sent, counted = in_bytes(_SENT), in_bytes(_COUNTED)
        return [
            m.start()
            for m in found
            if not sent.match(code, m.end() - 1)
            and not (counted.search(code[max(0, m.start() - 80) : m.start()]) and in_bytes(_ALL_COUNTED).match(code, m.end() - 1))
        ]

    @cached_property
    def _sites(self) -> list[tuple[int, Block, Block | None]]:
        """The creations in functions: with the function and the class that it is a method of."""
        found: list[tuple[int, Block, Block | None]] = []
        for at in self.creations or ():
            around = self.around(at)
            if around and not around[0].is_class:
                if len(around) == 1:
                    found.append((at, around[0], None))
                elif around[1].is_class:
                    found.append((at, around[0], around[1]))
        return found

    @cached_property
    def _helpers(self) -> bool:
        """Whether a class that computes may reach a function of the module level that makes a tensor."""
        makers = {function.name for _, function, owner in self._sites if owner is None}
        classes = [self.inside(b) for b in self.blocks if b.is_class and self._computes(b)] if makers else []
        if not classes:
            return False
        functions = [b for b in self.blocks if not b.is_class and len(self.around(b.start)) == 1]
        texts = {b.name: self.inside(b) for b in functions}
        todo = list(makers)
        while todo:
            word = todo.pop()
            for name, text in texts.items():
                if name not in makers and word in text:
                    makers.add(name)
                    todo.append(name)
        return any(maker in text for text in classes for maker in makers)

    def creates(self) -> bool:
        """Whether the code of a module may make a tensor on the host."""
        if self.creations is None:
            return True
        run = any(owner is not None and self._computes(owner) and self._runs(function, owner) for _, function, owner in self._sites)
        return run or self._helpers

    def _runs(self, function: Block, owner: Block) -> bool:
        """Whether a method is one that computes, or is called by one."""
        name = function.name.decode()
        if name not in NOT_RUN:
            return True
        called = in_bytes(rf"\.{name}(?<!\)\.{name})\s*\(").finditer(self.code or b"", owner.start, self.end(owner))
        return any(self.around(m.start())[0].name.decode() not in NOT_RUN for m in called)

    def keeps(self) -> bool:
        """Whether the constructor of a module may keep a tensor of the host."""
        if self.creations is None:
            return True
        made = any(
            owner is not None and function.name == b"__init__" and self._computes(owner) and not self._registered(at, function)
            for at, function, owner in self._sites
        )
        return made or self._helpers

    def _registered(self, at: int, function: Block) -> bool:
        """Whether a creation stands in what becomes a parameter or buffer."""
        code = self.code or b""
        start = max(function.start, at - 800)
        depth = 0
        for match in reversed(list(in_bytes(_OPENS).finditer(code, start, at))):
            depth += 1 if match[0] == b")" else -1
            if depth < 0:
                depth = 0
                if in_bytes(_REGISTERS).search(code[max(start, match.start() - 40) : match.start()]):
                    return True
        return False

    # --- containers -------------------------------------------------------------------------------

    def keeps_container(self) -> bool:
        """Whether a constructor may make objects in a list or dict, and keep one in self."""
        if not self._keeps_container(self.data):
            return False
        if self.code is None:
            return True
        return any(self._keeps_container(self.data[b.start : self.end(b)]) for b in self.blocks if b.name == b"__init__")

    def _keeps_container(self, text: bytes) -> bool:
        if not any(in_bytes(made).search(text) for made in HOLDS_MADE):
            return False
        if in_bytes(_KEEPS_CONTAINER).search(text):
            return True
        named = in_bytes(_NAMES_CONTAINER).findall(text)
        return bool(named) and not frozenset(named).isdisjoint(in_bytes(_KEEPS_NAME).findall(text))
