"""The quotes of the strings that fixes add: those that most strings of the file have.

Rules write strings in double quotes. A string of the user keeps its quotes, also in a text that a fix replaces, where it decides on
the quotes of the new strings in that text. In an f-string a new string gets the other quotes, which Python needs before 3.12.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Insert, Move, Replace, Unwrap
from placefix.facts import reasons

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic, Edit, Span
    from placefix.source import Source

_OTHER = {'"': "'", "'": '"'}
_QUOTES = {"triple_double": '"""', "triple_single": "'''", "double": '"', "single": "'"}
# A comment, or a string without its prefix. A group is the last one of its match. All begin with one of three characters, so that the
# rest of a text is skipped fast.
_LITERAL = re.compile(
    r"#[^\r\n]*"
    r'|(?P<triple_double>"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*""")'
    r"|(?P<triple_single>'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*''')"
    r'|(?P<double>"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*")'
    r"|(?P<single>'[^'\\\r\n]*(?:\\.[^'\\\r\n]*)*')",
    re.DOTALL,
)
_PREFIX = re.compile(r"(?<!\w)[bBfFrRtTuU]{1,2}\Z")


class StringLiteral(NamedTuple):
    """A string in a text: its range, its prefix, its quotes and its content."""

    start: int
    end: int
    prefix: str
    quotes: str
    content: str


class _NoQuotesError(Exception):
    """A new string in f-strings would need the quotes of one of them."""


def literals(text: str) -> Iterator[StringLiteral]:
    """The strings of a part of a program. Strings in the braces of an f-string belong to its content."""
    for match in _LITERAL.finditer(text):
        if match.lastgroup is not None:
            start, quotes = match.start(), _QUOTES[match.lastgroup]
            found = _PREFIX.search(text, max(start - 2, 0), start)
            prefix = found[0] if found is not None else ""
            content = text[start + len(quotes) : match.end() - len(quotes)]
            yield StringLiteral(start - len(prefix), match.end(), prefix, quotes, content)


class StringQuotes:
    """The quotes that new strings get in one file."""

    def __init__(self, source: Source) -> None:
        self._text = source.text

    def fixed(self, finding: Diagnostic) -> Diagnostic:
        """The finding with the new strings of its fix in these quotes; without its fix where one cannot be written."""
        if finding.fix is None or not any(_adds_strings(edit) for edit in finding.fix.edits):
            return finding
        changed: dict[str, str] = {}
        try:
            edits = tuple(self._edit(edit, changed) for edit in finding.fix.edits)
        except _NoQuotesError:
            return finding._replace(fix=None, note=f"not fixed: {reasons.NO_QUOTES_LEFT}")
        title = finding.fix.message
        for was, now in changed.items():
            title = title.replace(was, now)
        return finding._replace(fix=finding.fix._replace(edits=edits, message=title))

    def _edit(self, edit: Edit, changed: dict[str, str]) -> Edit:
        if isinstance(edit, Insert):
            return edit._replace(text=_requote(edit.text, Counter(), self._prevailing, frozenset(), changed))
        if isinstance(edit, (Move, Unwrap)):
            return edit._replace(replace=tuple(self._replacement(part, changed) for part in edit.replace))
        return self._replacement(edit, changed) if isinstance(edit, Replace) else edit

    def _replacement(self, edit: Replace, changed: dict[str, str]) -> Replace:
        if not any(literals(edit.text)):
            return edit
        taken = self._quotes_around(edit.span)
        kept = Counter(edit.expect[one.start : one.end] for one in literals(edit.expect))
        beside = (one.quotes for one in literals(edit.text) if kept[edit.text[one.start : one.end]])
        quotes = next((found for found in beside if found in _OTHER), self._prevailing)
        if quotes in taken:
            quotes = _OTHER[quotes]
        return edit._replace(text=_requote(edit.text, kept, quotes, taken, changed))

    @cached_property
    def _literals(self) -> list[StringLiteral]:
        return list(literals(self._text))

    @cached_property
    def _prevailing(self) -> str:
        """The quotes of most strings on one line that could have either; double where as many have the others."""
        count = Counter(
            one.quotes for one in self._literals if one.quotes in _OTHER and _OTHER[one.quotes] not in one.content
        )
        return "'" if count["'"] > count['"'] else '"'

    def _quotes_around(self, span: Span) -> frozenset[str]:
        """The quotes of the f-strings around a range of the text."""
        number = bisect_left(self._literals, span.start, key=lambda one: one.start) - 1
        around = self._literals[number] if number >= 0 else None
        if around is None or span.end >= around.end:
            return frozenset()
        own = around.quotes[0]
        inner = self._text[around.start : span.start].count(_OTHER[own])
        return frozenset(_OTHER) if inner % 2 else frozenset((own,))  # an odd number: one is open


def _adds_strings(edit: Edit) -> bool:
    if isinstance(edit, (Move, Unwrap)):
        return any('"' in part.text for part in edit.replace)
    return isinstance(edit, (Insert, Replace)) and '"' in edit.text


def _requote(text: str, kept: Counter[str], quotes: str, taken: frozenset[str], changed: dict[str, str]) -> str:
    """A text with its strings in `quotes`, except those of `kept`, and those that need escapes or have these quotes in them.
    taken: the quotes that no string may have, or _NoQuotesError is raised. changed: gets the strings that differ, with the new ones."""
    left, at = Counter(kept), 0
    parts: list[str] = []
    for one in literals(text):
        was = text[one.start : one.end]
        if left[was]:
            left[was] -= 1
            continue
        free = one.quotes in _OTHER and quotes not in one.content and "\\" not in one.content
        now = f"{one.prefix}{quotes}{one.content}{quotes}" if free else was
        if taken & set(now):
            raise _NoQuotesError
        if now != was:
            changed[was] = now
        parts += text[at : one.start], now
        at = one.end
    return "".join((*parts, text[at:]))
