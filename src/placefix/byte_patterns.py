"""Regular expressions over the bytes of a file that is not decoded yet."""

from __future__ import annotations

import re
from functools import cache
from os.path import basename, split

BEGINS = r"(?<!\w"
_LAST_WORD = re.compile(r"(?<!\\)\\b(\w+)\\b\Z")


@cache
def in_bytes(pattern: str) -> re.Pattern[bytes]:
    """A multi-line pattern (ASCII) over the bytes of a file, compiled when it is first needed: the rules have some hundred, and most
    files need few."""
    return re.compile(pattern.encode("ascii"), re.MULTILINE)


def _of_lines(pattern: str, data: bytes) -> tuple[re.Pattern[bytes], bytes]:
    """A pattern and a text with the same matches, a line end before each if the pattern begins with ``^``: that would be tried at
    every byte, and a line end is found at once."""
    if not pattern.startswith("^"):
        return in_bytes(pattern), data
    return in_bytes(f"\n{pattern[1:]}"), b"\n" + data


def matches(pattern: str, data: bytes) -> bool:
    """Whether a multi-line pattern matches somewhere in a text. One that begins with ``^`` has alternatives only in parentheses."""
    compiled, text = _of_lines(pattern, data)
    return compiled.search(text) is not None


def matching_parts(pattern: str, data: bytes) -> list[bytes]:
    """The parts of a text that a multi-line pattern matches. One that begins with ``^`` has alternatives only in parentheses, and
    does not match a line end at its end."""
    compiled, text = _of_lines(pattern, data)
    return [match[0].removeprefix(b"\n") for match in compiled.finditer(text)]


def last_word(pattern: str) -> bytes:
    """The word that every match of a pattern ends with, if the pattern ends with ``\\bname\\b`` and has no alternatives; empty for others."""
    found = _LAST_WORD.search(pattern) if "|" not in pattern else None
    return found[1].encode("ascii") if found is not None else b""


def word(name: str) -> str:
    """A pattern for the beginning of a word: one that starts with the word is found ten times faster than one that starts with `\\b`."""
    return f"{name}{BEGINS}{name})"


def module_stem(path: str) -> str:
    """A pattern for the last name with which other files import a file, a package by its ``__init__.py``; empty for a name that is not
    ASCII: a search over bytes shows nothing about that."""
    folder, name = split(path)
    stem = basename(folder) if name == "__init__.py" else name.removesuffix(".py")  # nothing imports a notebook
    return re.escape(stem) if stem.isascii() else ""
