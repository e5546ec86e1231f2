"""The floor under `placefix check`: find the files, read them, apply the byte triggers, parse.

    python bare.py TRIGGERS.json FOLDER

Everything any checker of Python must do, in the plainest way, and nothing else. The triggers are words and patterns: that
placefix glances at the code of some files before it parses them (`placefix.prefilter`) is its own cost, and its own gain.
"""

import ast
import contextlib
import json
import os
import re
import sys
import warnings
from collections.abc import Iterator
from typing import Any


def files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from files(entry.path)
            elif entry.name.endswith(".py"):
                yield entry.path


class Held(dict[Any, bool]):
    """What the bytes hold of words and patterns, each looked for once; of a tuple of patterns, whether they hold one."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __missing__(self, wanted: Any) -> bool:
        if isinstance(wanted, tuple):
            found = any(self[one] for one in wanted)
        else:
            found = wanted in self.data if isinstance(wanted, bytes) else wanted.search(self.data) is not None
        self[wanted] = found
        return found


def compiled(pattern: Any) -> Any:
    if isinstance(pattern, list):
        return tuple(map(compiled, pattern))
    return re.compile(pattern.encode(), re.MULTILINE)


def main(triggers: str, folder: str) -> None:
    warnings.simplefilter("ignore")
    with open(triggers) as handle:
        wanted = [
            ([[word.encode() for word in words] for words in groups], [compiled(pattern) for pattern in patterns])
            for groups, patterns in json.load(handle)
        ]
    for path in files(folder):
        with open(path, "rb") as handle:
            data = handle.read()
        held = Held(data)
        if any(
            any(all(held[word] for word in words) for words in rule) and all(held[p] for p in patterns)
            for rule, patterns in wanted
        ):
            with contextlib.suppress(SyntaxError, ValueError):
                ast.parse(data)


main(*sys.argv[1:])
