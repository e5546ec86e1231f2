"""Regular expressions over the bytes of a file that is not decoded yet."""

from __future__ import annotations

import re
from functools import cache

BEGINS = r"(?<!\w"
_LAST_WORD = re.compile(r"(?<!\\)\\b(\w+)\\b\Z")


@cache
def in_bytes(pattern: str) -> re.Pattern[bytes]:
    """A multi-line pattern (ASCII) over the bytes of a file, compiled when it is first needed: the rules have some hundred, and most
    files need few."""
    return re.compile(pattern.encode("ascii"), re.MULTILINE)


def last_word(pattern: str) -> bytes:
    """The word that every match of a pattern ends with, if the pattern ends with ``\\bname\\b`` and has no alternatives; empty for others."""
    found = _LAST_WORD.search(pattern) if "|" not in pattern else None
    return found[1].encode("ascii") if found is not None else b""


def word(name: str) -> str:
    """A pattern for the beginning of a word: one that starts with the word is found ten times faster than one that starts with `\\b`."""
    return f"{name}{BEGINS}{name})"
