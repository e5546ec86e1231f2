"""Comments that silence findings.

    x = x.cuda()  # placefix: ignore[PF401, PF3] the reason is free text
    # placefix: ignore[PF301]      on a line of its own: the next line of code
    # placefix: ignore             every rule
    # placefix: file-ignore[PF4]   the whole file, wherever it stands
    x = x.cuda()  # noqa: PF401    (or a bare noqa, which silences every tool)

A code silences every rule it is a prefix of. A comment belongs to a *logical* line: one
anywhere in a statement that spans lines speaks for all of it, and one in the body of a
compound statement never speaks for the statement's header.
"""

from __future__ import annotations

import re
import sys
import tokenize
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.lazy import NamedTuple, pattern

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterable, Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.source import Source

_IGNORE = pattern(r"#\s*placefix\s*:\s*(?P<file>file-)?ignore\b(?:\s*\[(?P<codes>[^\]]*)\])?", re.IGNORECASE)
# As flake8 reads it: what follows the colon up to the first word that is no code.
_NOQA = pattern(r"#\s*noqa\b(?:\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[\s,]+[A-Z]+[0-9]+)*))?", re.IGNORECASE)

# Tokens that are no code of their own: a line that holds only these is blank or a comment.
_LAYOUT = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER})

_EVERYTHING = ("",)  # the empty prefix


class _Comment(NamedTuple):
    row: int
    text: str


class _LogicalLine(NamedTuple):
    """Rows (1-based, inclusive) of one logical line and the comments inside it."""

    first: int
    last: int
    comments: list[_Comment]


class Suppressions:
    """The suppression comments of one file. Costs nothing until the first question.

    module: its `ast`, where there is one: with it a file is cut into tokens only for a comment near a finding.
    """

    def __init__(self, source: Source, module: ast.Module | None = None) -> None:
        self._source = source
        self._module = module

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Whether a comment of the file silences `diagnostic` (and so forbids its fix)."""
        rows = [row for row, codes in self._named if diagnostic.code.startswith(codes)]
        if not rows:
            return False
        row = self._source.line_of(diagnostic.span.start)
        if self._module is not None and 0 not in rows:
            first, last = _surroundings(self._module, self._source, row)
            if not any(first <= row <= last for row in rows):
                return False
        table = self._table
        if diagnostic.code.startswith(table.file_codes):
            return True
        return diagnostic.code.startswith(table.codes_at(row))

    @cached_property
    def _named(self) -> list[tuple[int, tuple[str, ...]]]:
        """Rows (0: speaks for the whole file) of what may silence, and the prefixes: what looks like a comment in a string
        counts too. Most files name codes of other tools only, and need not be cut into tokens."""
        text = self._source.text
        lowered = text.lower()
        if "noqa" not in lowered and "placefix" not in lowered:
            return []
        row_of = self._source.line_of
        found = [(0 if match["file"] else row_of(match.start()), _codes(match["codes"])) for match in _IGNORE.finditer(text)]
        return found + [(row_of(match.start()), _codes(match["codes"])) for match in _NOQA.finditer(text)]

    @cached_property
    def _table(self) -> _Table:
        return _Table(_logical_lines(self._source), self._source)


def _surroundings(module: ast.Module, source: Source, row: int) -> tuple[int, int]:
    """Rows, first and last, among which all comments stand that may speak for `row`: from the end of the statement
    before to the start of the next line of code."""
    first, last = 1, sys.maxsize
    todo: list[list[ast.stmt]] = [module.body]
    while todo:
        for stmt in todo.pop():
            start = min((stmt, *getattr(stmt, "decorator_list", ())), key=lambda node: node.lineno)
            end = stmt.end_lineno or stmt.lineno
            if end < row:
                first = max(first, end)
            elif start.lineno <= row:
                todo += _suites(stmt)
            elif not source.line(start.lineno)[: start.col_offset].strip(" \t\f@"):  # else it goes on with a line
                last = min(last, start.lineno)
                break
    return first, last


def _suites(stmt: ast.stmt) -> list[list[ast.stmt]]:
    parts = (stmt, *getattr(stmt, "handlers", ()), *getattr(stmt, "cases", ()))
    return [suite for part in parts for field in ("body", "orelse", "finalbody") if (suite := getattr(part, field, None))]


class _Table:
    """Prefixes silenced per logical line, and for the whole file."""

    def __init__(self, lines: Iterable[_LogicalLine], source: Source) -> None:
        file_codes: list[str] = []
        self._firsts: list[int] = []
        self._entries: list[tuple[int, tuple[str, ...]]] = []  # last row, prefixes
        pending: list[str] = []  # from comments on lines of their own, for the next line of code of their cell
        above = 0  # the row of the last one
        for line in lines:
            is_code = line.last >= line.first
            codes: list[str] = []
            for comment in line.comments:
                for match in _IGNORE.finditer(comment.text):
                    found = _codes(match["codes"])
                    (file_codes if match["file"] else codes).extend(found)
                    above = above if is_code else comment.row
                if is_code and (noqa := _NOQA.search(comment.text)):
                    codes.extend(_codes(noqa["codes"]))
            if not is_code:
                pending.extend(codes)
                continue
            if pending and source.row_cell(above) == source.row_cell(line.first):
                codes.extend(pending)
            pending = []
            if codes:
                self._firsts.append(line.first)
                self._entries.append((line.last, tuple(codes)))
        self.file_codes = tuple(file_codes)

    def codes_at(self, row: int) -> tuple[str, ...]:
        at = bisect_right(self._firsts, row) - 1
        if at < 0:
            return ()
        last, codes = self._entries[at]
        return codes if row <= last else ()


def _codes(listed: str | None) -> tuple[str, ...]:
    """Prefixes a comment names; no list at all means every rule, an empty list none."""
    if listed is None:
        return _EVERYTHING
    return tuple(code.upper() for code in re.split(r"[\s,]+", listed) if code)


def _logical_lines(source: Source) -> Iterator[_LogicalLine]:
    """Logical lines in order; a run of comments outside any has `last` < `first`."""
    comments: list[_Comment] = []
    first = 0
    row = 0
    try:
        for token in tokenize.generate_tokens(_reader(source)):
            row = token.start[0]
            if token.type == tokenize.COMMENT:
                comments.append(_Comment(row, token.string))
            if token.type not in _LAYOUT and not first:
                first = row
            if token.type == tokenize.NEWLINE:
                # The trailing comment stands before NEWLINE. What stood on lines of its own
                # above the code is a group of its own.
                own = [c for c in comments if c.row < first]
                if own:
                    yield _LogicalLine(1, 0, own)
                yield _LogicalLine(first, token.end[0], comments[len(own) :])
                comments, first = [], 0
    except (tokenize.TokenError, SyntaxError):
        # ast read the file and tokenize does not: rare (odd continuations, stray bytes). From
        # here on look at physical lines, where a marker inside a string counts too: to leave
        # alone what nobody meant to protect is the smaller mistake.
        start = first or row or 1
        if comments:
            yield _LogicalLine(1, 0, comments)
        for number in range(start, len(source.line_starts) + 1):
            yield _LogicalLine(number, number, [_Comment(number, source.line(number))])
        return
    if comments:
        yield _LogicalLine(1, 0, comments)


def _reader(source: Source) -> Callable[[], str]:
    """A readline over the file's lines as Python counts them (a lone carriage return ends one)."""
    lines = (source.line(number).rstrip("\r\n") + "\n" for number in range(1, len(source.line_starts) + 1))
    return lambda: next(lines, "")
