"""The names that a file imports from other files of its repository and whose code places something, by the bytes of these files.

No file is parsed: this decides whether a file that places nothing itself is analysed at all.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from placefix.byte_patterns import in_bytes
from placefix.facts.program.repository import FOREIGN
from placefix.prefilter.placements import placements, runs_models
from placefix.prefilter.scanner import CodeScanner
from placefix.reachability import reachable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.repository import Home

_HOPS = 2  # files behind the imported one in which names are followed
_FROM = r"^[ \t]*from[ \t]+([\w.]+)[ \t]+import\b[ \t]*(\([^)]*\)|(?:[^\n\\#;]|\\\r?\n)*)"
_IMPORT = r"^[ \t]*import[ \t]+([\w., \t]+)"
_IMPORTED = r"(\w+|\*)(?:[ \t]+as[ \t]+(\w+))?"
_COMMENT = r"#[^\n]*"
# A device is chosen; otherwise the file that imports the code passes it, or a tensor has it.
_CHOOSES = (b"cuda", b"torch.device(", b"torch.accelerator")
_WORD = r"[A-Za-z_]\w*"


class _Import(NamedTuple):
    """A name that is imported: the name that is bound ("*" for all), the module, and the name there ("" for the module itself)."""

    bound: str
    module: str
    name: str


class _Definitions(NamedTuple):
    """The functions of a file and its classes, modules apart: their code places nothing where they are used. placing: those whose text
    places something; words: the words in each; bases: those in the bases of each class; imports: those of the file."""

    placing: frozenset[str]
    words: dict[str, frozenset[str]]
    bases: dict[str, frozenset[str]]
    imports: tuple[_Import, ...]


def placing_imports(home: Home, data: bytes) -> frozenset[str]:
    """The names that a file of this place and content imports from other files and whose code places something, also those of modules
    (``nets.build``); none in a file that does not run models, whose imports are not followed."""
    if not runs_models(data):
        return frozenset()
    key = "placing imports", home.path, hash(data)
    return home.project.remembered(key, lambda: frozenset(_placing_names(home, data)))


def _placing_names(home: Home, data: bytes) -> Iterator[str]:
    for one in _imports(data):
        if one.bound == "*":
            names = [name for name in _exported(home, one.module) if name.encode() in data]
            yield from (name for name in names if _leads(home, one, name, _HOPS))
        elif one.name and _leads(home, one, one.name, _HOPS):
            yield one.bound
        else:
            yield from _placing_members(home, one, data)


def _placing_members(home: Home, one: _Import, data: bytes) -> Iterator[str]:
    """The functions and classes that a file reads of a module which an import binds, and whose code places something."""
    name = (
        one.module if not one.name else f"{one.module}.{one.name}" if one.module.strip(".") else one.module + one.name
    )
    file = home.file_of(name)
    if file and file != home.path:
        read = set(re.findall(rb"\b%s\.(\w+)" % re.escape(one.bound.encode()), data))
        yield from (f"{one.bound}.{m}" for m in sorted(map(_text, read)) if _places(home._replace(path=file), m, _HOPS))


def _exported(home: Home, module: str) -> Iterator[str]:
    """The names that a star import of a module may bind."""
    file = home.file_of(module)
    if file:
        found = _definitions(home, file)
        yield from (*found.words, *(one.bound for one in found.imports))


def _leads(home: Home, one: _Import, name: str, hops: int) -> bool:
    """Whether an import of a name, in the file of `home`, leads to a definition whose code places something."""
    file = home.file_of(one.module) if name else ""
    return bool(file) and file != home.path and _places(home._replace(path=file), name, hops)


def _places(home: Home, name: str, hops: int) -> bool:
    """Whether the definition of a name in the file of `home`, or one of those that it names, places something."""
    return home.project.remembered(("places", home.path, name, hops), lambda: _search(home, name, hops))


def _search(home: Home, name: str, hops: int) -> bool:
    own = _definitions(home, home.path)
    reached = reachable((name,), lambda one: own.words.get(one, frozenset()) & own.words.keys())
    if not reached.isdisjoint(own.placing):
        return True
    if hops == 0:
        return False
    # only re-exports and base classes are followed further: behind every call there is some placement in a large repository
    names = {name}.union(*(own.bases.get(one, ()) for one in reached))
    for one in own.imports:
        if one.bound in names and _leads(home, one, one.name, hops - 1):
            return True
    stars = [one for one in own.imports if one.bound == "*"] if name not in own.words else []
    return any(_leads(home, one, name, hops - 1) for one in stars)


def _definitions(home: Home, file: str) -> _Definitions:
    """The definitions of a file, as its bytes show them."""
    return home.project.remembered(("definitions", file), lambda: _read(home.project.files.read(file) or b""))


def _read(data: bytes) -> _Definitions:
    index = CodeScanner(data)
    code = index.code or b""
    blocks = [block for block in index.blocks if block.indent == 0 and not index.may_be_module(block)]
    starts = [block.start for block in blocks]
    placing = set()
    for at in placements(code) if any(word in data for word in _CHOOSES) else ():
        number = bisect_right(starts, at) - 1
        block = blocks[number] if number >= 0 else None
        if block is not None and at < index.end(block) and (not block.is_class or _is_kept(code, at)):
            placing.add(_text(block.name))
    words = {_text(block.name): frozenset(map(_text, in_bytes(_WORD).findall(index.inside(block)))) for block in blocks}
    bases = {_text(block.name): frozenset(map(_text, index.bases(block))) for block in blocks if block.is_class}
    return _Definitions(frozenset(placing), words, bases, tuple(_imports(data)))


def _text(word: bytes) -> str:
    return word.decode("ascii", "replace")


def _is_kept(code: bytes, at: int) -> bool:
    """Whether a placement in a method may be of an attribute, by its line: ``self.net = Net().to(device)``, or the last line of such a statement."""
    line = code[code.rfind(b"\n", 0, at) + 1 : at + 1].lstrip()
    return line.startswith((b"self.", b")", b"]"))


def _imports(data: bytes) -> Iterator[_Import]:
    """The imports of a file, without those that are of no repository."""
    for found in in_bytes(_FROM).finditer(data):
        module = _text(found[1])
        if module.partition(".")[0] not in FOREIGN:
            for name, other in in_bytes(_IMPORTED).findall(in_bytes(_COMMENT).sub(b"", found[2])):
                yield _Import(_text(other or name), module, _text(name))
    for found in in_bytes(_IMPORT).finditer(data):
        for part in _text(found[1]).split(","):
            words = part.split()
            if words and words[0].partition(".")[0] not in FOREIGN:
                yield _Import(words[-1], words[0], "")
