"""Tests of a text before it is parsed.

Parsing takes ten times as long, and most texts that hold a rule's words have no finding. The tests err on one side: False means
that the rule cannot find anything. A text that cannot be read with certainty (an unusual encoding, an odd quote) passes.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from placefix.byte_patterns import in_bytes
from placefix.prefilter.blocks import BlockIndex
from placefix.prefilter.source_patterns import (
    ARGUMENTS,
    COPIES_OWN,
    GIVES_MODULES,
    HOLDS_MADE,
    IMPORTS_FACTORY,
    MAKES_LAYER,
    MAKES_ON_HOST,
    MAKES_ON_HOST_WITH_TORCH,
    NOT_RUN,
    RENAMES_FACTORY,
    RENAMES_TORCH,
)
from placefix.reachability import reachable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.prefilter.blocks import Block

_CONTAINER = r"(?:[ \t]*:[^=\n]*)?\s*=\s*(?:[\[{]|list\(|dict\(|tuple\(|(?:collections\.)?OrderedDict\()"
_KEEPS_CONTAINER = rf"self\.\w+{_CONTAINER}"
_NAMES_CONTAINER = rf"[\n;:][ \t]*(\w+){_CONTAINER}"
_KEEPS_ONE_NAME = r"self\.(\w+)\s*=\s*\w+[ \t]*[#\r\n;]"
_USES_ELEMENT = r"\bself\.(\w+)(?:\[|\s*[):,\]]|\.(?:items|values)\()"
_CALLS_OWN = r"\n[ \t]+self\.(\w+)\s*\("
_KEEPS_NAME = r"self\.\w+\s*=\s*(\w+)"

# Behind a creation: its tensor goes elsewhere at once.
_SENT = rf"{ARGUMENTS}(?:\.(?:float|long|int|double|half|bool|unsqueeze|view|repeat)\([\w\s,.:()-]*?\))*\.(?:cuda\s*\(|to\s*\(\s*[\w.]*\bdevice\s*[,)])"
# Before a creation: only numbers are read of it.
_COUNTED = r"\b(\w+)\.(?:item|tolist)\(\)\s+for\s+\1\s+in\s*\Z"
_ALL_COUNTED = rf"{ARGUMENTS}(?:\.split\([\w.]+\))?\s*[\])]"
_REGISTERS = r"\b(?:Parameter|register_buffer)\s*\Z"
_OPENS = r"[()]"
_ABSTRACT = frozenset((b"ABC", b"abc", b"metaclass", b"ABCMeta"))
_MOVES = r"^[^\"'\n]*\.(?:to|cuda|cpu|xpu)\s*\("


class CodeScanner(BlockIndex):
    """The tests of one text. data: its bytes, in an encoding that keeps ASCII."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self._computing: dict[int, bool] = {}

    def possible(self, questions: Iterable[str], *, parsed: bool) -> frozenset[str]:
        """Those of `questions` (names of methods) whose answer may be yes, or costs nothing after another's.

        parsed: whether the text is parsed anyway. Then the tree decides more exactly than a scan.
        """
        asked = frozenset(questions)
        return asked if parsed or any(map(self.may_match, asked)) else frozenset()

    def may_match(self, question: str) -> bool:
        """The result of the test with this name; True if it cannot be decided."""
        try:
            return bool(getattr(self, question)())
        except ValueError:
            return True

    # --- classes --------------------------------------------------------------------------------

    @cached_property
    def _derived(self) -> frozenset[bytes]:
        """The names among the bases of classes."""
        return frozenset().union(*filter(None, self._bases.values()))

    @cached_property
    def _heirs(self) -> dict[bytes, list[Block]]:
        """The classes of the text by the words that are among their bases."""
        found: dict[bytes, list[Block]] = {}
        for block in self.blocks:
            for base in (block.is_class and self._bases[block.start]) or ():
                found.setdefault(base, []).append(block)
        return found

    @cached_property
    def _knows_bases(self) -> bool:
        """Whether the bases of every class are found for certain."""
        return None not in self._bases.values()

    def _computes(self, block: Block) -> bool:
        """Whether a class may be, or be part of, a module of this text whose parts may be on other devices than its constructor chose: one with
        a ``forward``, or one that is a module by the name of its base."""
        found = self._computing.get(block.start)
        if found is None:
            found = self._computing[block.start] = self._may_compute(block)
        return found

    def _runs_forward(self, block: Block, seen: frozenset[bytes] = frozenset()) -> bool:
        """Whether a class, or one of its bases in this text, has a ``forward``."""
        if any(b.name == b"forward" for b in self.within(block)):
            return True
        bases = (self._bases[block.start] or frozenset()) - seen
        return any(self._runs_forward(own, seen | {base}) for base in bases for own in self.classes.get(base, ()))

    def _is_module(self, block: Block, seen: frozenset[bytes] = frozenset()) -> bool:
        """Whether a base of a class, or of a base of it in this text, is a module by its name: ``nn.Module``, ``LightningModule``."""
        bases = (self._bases[block.start] or frozenset()) - seen
        return any(
            base.endswith(b"Module") or any(self._is_module(own, seen | {base}) for own in self.classes.get(base, ()))
            for base in bases
        )

    def may_be_module(self, block: Block) -> bool:
        """Whether a class may be a module: by the name of a base, or as a class with a base that has a ``forward``."""
        derived = block.is_class and not self.bases(block) <= _ABSTRACT
        return derived and (self._is_module(block) or self._runs_forward(block))

    def _with_descendants(self, block: Block) -> list[Block]:
        """A class and those that derive from it."""
        found = [block]
        for one in found:
            found += [heir for heir in self._heirs.get(one.name, ()) if heir not in found]
        return found

    def _may_compute(self, block: Block) -> bool:
        bases = self._bases[block.start]
        if bases is None or not self._knows_bases:
            return True
        derived = block.name in self._derived
        if not bases and not derived:
            return False
        if not self._is_module(block) and not any(map(self._runs_forward, self._with_descendants(block))):
            return False
        made = [b for b in self.within(block) if b.name == b"__init__"]
        if len(made) != 1 or self.around(made[0].start)[1] is not block:
            return True
        return not in_bytes(_MOVES).search(self.inside(made[0]))

    # --- tensors made on the host -----------------------------------------------------------------

    @cached_property
    def creations(self) -> list[int] | None:
        """The positions where a tensor is made on the host and not moved at once; None if that is uncertain."""
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
            and not (
                counted.search(code[max(0, m.start() - 80) : m.start()])
                and in_bytes(_ALL_COUNTED).match(code, m.end() - 1)
            )
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
        makers = reachable(makers, lambda maker: (name for name, text in texts.items() if maker in text))
        return any(maker in text for text in classes for maker in makers)

    def creates(self) -> bool:
        """Whether the code of a module may make a tensor on the host."""
        if self.creations is None:
            return True
        run = any(
            owner is not None and self._computes(owner) and self._runs(function, owner)
            for _, function, owner in self._sites
        )
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
            owner is not None
            and function.name == b"__init__"
            and self._computes(owner)
            and not self._registered(at, function)
            for at, function, owner in self._sites
        )
        return made or self._helpers or in_bytes(COPIES_OWN).search(self.data) is not None

    def _registered(self, at: int, function: Block) -> bool:
        """Whether a tensor is created inside the argument of `Parameter` or `register_buffer`."""
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
        """Whether a constructor, or a method that is called as a statement, may make objects in a list or dict, or be given one, and keep it
        in self."""
        if self._keeps_given():
            return True
        if not self._keeps_container(self.data):
            return False
        if self.code is None:
            return True
        makers = {b"__init__", *in_bytes(_CALLS_OWN).findall(self.data)}
        return any(self._keeps_container(self.data[b.start : self.end(b)]) for b in self.blocks if b.name in makers)

    def _keeps_given(self) -> bool:
        """Whether a parameter that may hold modules may be kept in an attribute of self, of which an element is used."""
        if not in_bytes(GIVES_MODULES).search(self.data):
            return False
        kept = frozenset(in_bytes(_KEEPS_ONE_NAME).findall(self.data))
        return bool(kept) and not kept.isdisjoint(in_bytes(_USES_ELEMENT).findall(self.data))

    def _keeps_container(self, text: bytes) -> bool:
        if not any(in_bytes(made).search(text) for made in HOLDS_MADE):
            return False
        if in_bytes(_KEEPS_CONTAINER).search(text):
            return True
        named = in_bytes(_NAMES_CONTAINER).findall(text)
        return bool(named) and not frozenset(named).isdisjoint(in_bytes(_KEEPS_NAME).findall(text))

    # --- layers that are made at each call --------------------------------------------------------

    def makes_layers(self) -> bool:
        """Whether a layer with parameters is made between a ``def forward`` and the next line that begins a definition at the same depth
        or less: any other layer is made once. Definitions in strings count, those in comments do not."""
        data, at = self.data, self.data.find(b"def forward")
        while at >= 0:
            depth, end = at - data.rfind(b"\n", 0, at), data.find(b"def ", at + 4)
            while end >= 0 and not self._begins(end, depth):
                end = data.find(b"def ", end + 4)
            if in_bytes(MAKES_LAYER).search(data, at, end if end >= 0 else len(data)):
                return True
            at = data.find(b"def forward", at + 4)
        return False

    def _begins(self, at: int, depth: int) -> bool:
        """Whether only white space precedes a position on its line, and no more than `depth`."""
        start = self.data.rfind(b"\n", 0, at)
        return at - start <= depth and not self.data[start + 1 : at].strip()
