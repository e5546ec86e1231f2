"""A regular expression that is compiled when it is first used."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Matcher = Callable[[str], re.Match[str] | None]


class LazyPattern:
    """A regular expression over text, for modules with many of them: to compile all of `facts.naming` and `facts.torch_api` at import
    took a quarter of the time of a run over one file, which needs few."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._text = pattern
        self._flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._text, self._flags)

    @cached_property
    def match(self) -> Matcher:
        """As `re.Pattern.match`."""
        return self._compiled.match

    @cached_property
    def search(self) -> Matcher:
        """As `re.Pattern.search`."""
        return self._compiled.search

    @cached_property
    def fullmatch(self) -> Matcher:
        """As `re.Pattern.fullmatch`."""
        return self._compiled.fullmatch

    @cached_property
    def finditer(self) -> Callable[[str], Iterator[re.Match[str]]]:
        """As `re.Pattern.finditer`."""
        return self._compiled.finditer

    @cached_property
    def subn(self) -> Callable[[str, str], tuple[str, int]]:
        """As `re.Pattern.subn`."""
        return self._compiled.subn
