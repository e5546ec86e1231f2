"""Functions and objects that write to a file or to the terminal: the rows of `outputs.tsv`.

names     qualified names, with `*` at the end for any characters
result    none (the function returns nothing that a script needs), unused (it writes if its result is not used), writer (it makes an object
          whose methods write), progress (it makes a progress bar, which has an argument `disable`)
"""

from __future__ import annotations

import os
from functools import cache


@cache
def _rows() -> dict[str, str]:
    with open(os.path.join(os.path.dirname(__file__), "outputs.tsv"), encoding="utf-8") as stream:
        rows = [line.split("\t") for line in stream.read().splitlines() if line and line[0] != "#"][1:]
    return {name: result for names, result, _ in rows for name in names.split(" ")}


@cache
def result_of(name: str) -> str:
    """The result of the function or class with a qualified name, "" for one that writes nothing."""
    rows = _rows()
    if name in rows:
        return rows[name]
    return next((result for key, result in rows.items() if key[-1] == "*" and name.startswith(key[:-1])), "")
