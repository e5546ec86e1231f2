"""A hash of the code of placefix that a benchmark judges: of another version nothing is taken over."""

from __future__ import annotations

import hashlib
from pathlib import Path

import placefix


def code_stamp() -> str:
    """A hash of the analysis and the fixes of the placefix that is imported."""
    found = hashlib.sha256()
    room = Path(placefix.__file__).parent
    for file in sorted(room.rglob("*")):
        if file.suffix in (".py", ".tsv") and "simulate" not in file.relative_to(room).parts:
            found.update(file.read_bytes())
    return found.hexdigest()[:12]
