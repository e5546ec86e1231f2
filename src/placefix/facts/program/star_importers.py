"""The files that take all names of a file: ``from tools import *``. A name that is added to it comes to them as well."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from placefix.byte_patterns import in_bytes, module_stem

if TYPE_CHECKING:
    from placefix.facts.program.repository import Home


def is_taken_by_importers(home: Home, name: str) -> bool:
    """Whether a file that imports all names of this one, perhaps through a third, has another use for a name: to add it here may
    bind it anew there."""
    word = re.compile(rb"\b%s\b" % re.escape(name).encode())
    return any(word.search(home.project.files.read(file) or b"") for file in star_importers(home))


def star_importers(home: Home) -> frozenset[str]:
    """The other files of the repository with a star import of this one, or of a file that has one."""
    found: set[str] = set()
    todo = [home.path]
    while todo:
        new = _direct_importers(home, todo.pop()) - found - {home.path}
        found |= new
        todo += new
    return frozenset(found)


def _direct_importers(home: Home, file: str) -> frozenset[str]:
    """The files with a star import of one, by their bytes."""

    def find() -> frozenset[str]:
        """These files, searched once."""
        stem = module_stem(file)
        if not stem:
            return frozenset(home.importers(file))
        star = in_bytes(rf"^[ \t\"]*from\b[^\n]*\b{stem}[ \t]+import[ \t]*\(?[ \t]*\*")
        read = home.project.files.read
        return frozenset(other for other in home.importers(file) if star.search(read(other) or b""))

    return home.project.remembered(("star-importers", file), find)
