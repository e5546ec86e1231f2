"""The attributes of torch's modules and of the wrappers around them: the rows of `wrappers.tsv`."""

from __future__ import annotations

import os
from functools import cache


@cache
def attributes() -> dict[str, frozenset[str]]:
    """The public attributes by class: those of every module under ``Module``, those that a wrapper has besides under its qualified name."""
    with open(os.path.join(os.path.dirname(__file__), "wrappers.tsv"), encoding="utf-8") as stream:
        rows = [line.split("\t") for line in stream.read().splitlines() if line and line[0] != "#"]
    return {row[0]: frozenset(row[1].split(" ")) for row in rows[1:]}


def has_attribute(wrapper: str, name: str) -> bool:
    """Whether a wrapper with a qualified class name may have a public attribute `name`: also if nothing is known of the class."""
    known = attributes()
    return wrapper not in known or name in known[wrapper] or name in known["Module"]
