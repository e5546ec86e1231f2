"""Patterns of .gitignore files and of the configuration."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pathspec


class IgnorePatterns(NamedTuple):
    """.gitignore patterns and the absolute folder they are relative to."""

    root: str
    lines: tuple[str, ...]

    def match(self, path: str, *, folder: bool = False) -> bool:
        """Whether the absolute `path` matches; one outside `root` never does."""
        return self.verdict(path, folder=folder) is True

    def verdict(self, path: str, *, folder: bool = False) -> bool | None:
        """True if the last pattern that matches the absolute `path` ignores it, False if
        that pattern is negated, None if no pattern matches."""
        relative = relative_to(path, self.root)
        if not relative:
            return None
        return _compiled(self.lines).check_file(relative + "/" if folder else relative).include


def is_valid_pattern(line: str) -> bool:
    """Whether a line is a .gitignore pattern at all."""
    try:
        _compiled((line,))
    except (ValueError, re.error):  # pathspec lets re's own error for a bad [class] through
        return False
    return True


def relative_to(path: str, root: str) -> str:
    """`path` below the folder `root`, with forward slashes; empty if it is not below it."""
    prefix = root if root.endswith(os.sep) else root + os.sep
    return path[len(prefix) :].replace(os.sep, "/") if path.startswith(prefix) else ""


@lru_cache(maxsize=512)
def _compiled(lines: tuple[str, ...]) -> pathspec.GitIgnoreSpec:
    import pathspec

    return pathspec.GitIgnoreSpec.from_lines(lines)
