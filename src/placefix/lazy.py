"""What start-up does not pay for."""

from __future__ import annotations

import re
from functools import cache
from typing import cast

_METHODS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")


class _Pattern:
    """Stands for a compiled pattern, and has its methods from the first use on."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(*self._source)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A regular expression, compiled when it is first used: most runs use few of them."""
    return cast("re.Pattern[str]", _Pattern(pattern, flags))


@cache
def in_bytes(pattern: str) -> re.Pattern[bytes]:
    """A multi-line pattern (ASCII) over the bytes of a file, compiled when it is first asked for."""
    return re.compile(pattern.encode("ascii"), re.MULTILINE)
