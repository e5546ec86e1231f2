"""Evidence in the text of a file before it is run: the places where something may be placed, and the names of modules."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.program.placing_imports import placing_imports
from placefix.prefilter.placements import placements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.repository import Home

_EVIDENCE = tuple(f".{method}(" for method in sorted(api.MODULE_EVIDENCE - {"load_state_dict"}))
_WRAPPED = re.compile(
    r"DataParallel\((?:(?<=\bnn\.DataParallel\()|(?<=\bnn\.DistributedDataParallel\()|(?<=\bnn\.parallel\.DataParallel\()"
    r"|(?<=\bnn\.parallel\.DistributedDataParallel\())\s*([A-Za-z_]\w*)\s*[,)]"
)


def placing(text: str, home: Home | None = None) -> list[int]:
    """Where something may be placed, sorted: offsets in code points. home: the place of the file in its repository; then names of other
    files whose code places something count in a file that places nothing itself."""
    data = text.encode("ascii", "replace")  # one byte a code point
    found = placements(data)
    for name in placing_imports(home, data) if home is not None and not found else ():
        found += (at for at in _places(text, name) if _is_whole_name(text, at, at + len(name)))
    return sorted(found)


def evidence(text: str) -> tuple[dict[str, list[int]], frozenset[str]]:
    """Expressions with a method call that only modules have, with their offsets in code points;
    and their last names."""
    found: dict[str, list[int]] = defaultdict(list)
    for word in _EVIDENCE:
        for at in _places(text, word):
            start = _receiver(text, at)
            if start < at:
                found[text[start:at]].append(start)
    if "DataParallel(" in text:
        for match in _WRAPPED.finditer(text):
            found[match.group(1)].append(match.start(1))
    for at in _places(text, ".load_state_dict("):
        # an optimizer has state as well and is not moved; a tensor is moved and has none
        name = text[_receiver(text, at) : at]
        moved = (
            [p for move in (".to(", ".cuda(") for p in _places(text, name + move)] if name and name not in found else ()
        )
        if any(text[max(p - 1, 0)] not in ".\"'" and _same_function(text, at, p) for p in moved):
            found[name].append(at)
    for name in [n for n in found if n.endswith(".module")]:
        # evidence for the module in a wrapper is evidence for the wrapper
        found.setdefault(name.removesuffix(".module"), found[name])
    return found, frozenset(name.rpartition(".")[2] for name in found)


def _receiver(text: str, end: int) -> int:
    """Where the chain of names starts that ends at `end`; `end` where there is none."""
    start = end
    while start and (text[start - 1].isalnum() or text[start - 1] in "_."):
        start -= 1
    while start < end and not (text[start] == "_" or (text[start].isascii() and text[start].isalpha())):
        start += 1
    return start


def _places(text: str, word: str) -> Iterator[int]:
    """The offsets of a word."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _is_whole_name(text: str, start: int, end: int) -> bool:
    """Whether a part of a text is a chain of names, and not part of a longer one on its left or of a longer name."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() or before in ("_", ".") or after.isalnum() or after == "_")


def _same_function(text: str, a: int, b: int) -> bool:
    """Whether no function begins between two places, as far as the text shows."""
    return "def " not in text[min(a, b) : max(a, b)]
