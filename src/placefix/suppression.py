"""Comments that suppress findings.

    x = x.cuda()  # placefix: ignore[PF401, PF3] the reason is free text
    # placefix: ignore[PF301]      on a separate line: applies to the next line of code
    # placefix: ignore             every rule
    # placefix: file-ignore[PF4]   the whole file, anywhere in it
    x = x.cuda()  # noqa: PF401    (or a bare noqa, which silences every tool)

A code suppresses every rule whose code starts with it. A comment belongs to a *logical* line: anywhere in a
statement that spans lines it applies to the whole statement; in the body of a compound statement it never
applies to the statement's header.
"""

from __future__ import annotations

import itertools
import re
import sys
import tokenize
from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from placefix.diagnostic import Remark, Span

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterable, Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.source import Source

_IGNORE = re.compile(r"#\s*placefix\s*:\s*(?P<file>file-)?ignore\b(?:\s*\[(?P<codes>[^\]]*)\])?", re.IGNORECASE)
# flake8's syntax: the codes after the colon, up to the first word that is no code.
_NOQA = re.compile(r"#\s*noqa\b(?:\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[\s,]+[A-Z]+[0-9]+)*))?", re.IGNORECASE)

# Tokens without code: a line that holds only these is blank or a comment.
_LAYOUT = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER})

_CODE = re.compile(r"[^\s,]+")
_EVERYTHING = ("",)  # the empty prefix
# The end of a suppression's reason: the next comment on the line, unless that is the number of an issue.
_NEXT = re.compile(
    r"(?<=[ \t])#(?=[ \t]+\S|noqa|type:|placefix\b|pragma|pylint|pyright|mypy|fmt:|isort|ruff|nosec)", re.IGNORECASE
)


class _Comment(NamedTuple):
    row: int
    start: int  # offset into the text
    text: str


class _LogicalLine(NamedTuple):
    """Rows (1-based, inclusive) of one logical line and the comments inside it. sure: cut by tokens. ends: as in Statement."""

    first: int
    last: int
    comments: list[_Comment]
    sure: bool = True
    ends: tuple[int, ...] = ()


class Statement(NamedTuple):
    """Rows (1-based, inclusive) of a logical line. ends: those of them that a comment can be appended to."""

    first: int
    last: int
    ends: tuple[int, ...]


DirectiveKind = Literal["ignore", "file-ignore", "noqa"]


class Directive(NamedTuple):
    """One suppression. All spans are of the text.

    kind: "ignore", "file-ignore" or "noqa". codes: the prefixes it names as they are written, in capitals; None: everything.
    first, last: the rows it applies to (1-based), none if last < first. span: from its # to the end of the list of codes.
    comment: the span of the whole comment. sure: whether it is known to be a comment and no part of a string.
    """

    kind: DirectiveKind
    codes: tuple[tuple[str, Span], ...] | None
    first: int
    last: int
    span: Span
    comment: Span
    sure: bool

    @property
    def prefixes(self) -> tuple[str, ...]:
        """The prefixes of the suppressed codes."""
        return _EVERYTHING if self.codes is None else tuple(code for code, _ in self.codes)

    def covers_row(self, row: int) -> bool:
        """Whether it applies to a row (1-based)."""
        return self.first <= row <= self.last


class UnusedSuppression(NamedTuple):
    """The unused part of a suppression, and the edit that removes it.

    codes: the unused codes, in capitals; empty for a suppression of everything. unknown: no rule has them.
    """

    directive: Directive
    codes: tuple[str, ...]
    unknown: bool
    edit: Remark


def _covers_finding(finding: Diagnostic, codes: tuple[str, ...]) -> bool:
    """Whether one of the codes, in capitals, is a prefix of the finding's code, or the name of its rule."""
    return finding.code.startswith(codes) or finding.rule.name.upper() in codes


class Suppressions:
    """The suppression comments of one file. Costs nothing until the first question.

    module: its `ast`, where there is one: with it a file is cut into tokens only for a comment near a finding.
    """

    def __init__(self, source: Source, module: ast.Module | None = None) -> None:
        self._source = source
        self._module = module
        self._rows: dict[str, list[int]] = {}  # by code: the rows of comments that may suppress it

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Whether a comment of the file silences `diagnostic` (and so forbids its fix)."""
        rows = self._rows.get(diagnostic.code)
        if rows is None:
            named = {row for row, codes in self._named_codes if _covers_finding(diagnostic, codes)}
            rows = self._rows[diagnostic.code] = sorted(named)
        if not rows:
            return False
        row = self._source.line_of(diagnostic.span.start)
        if self._module is not None and 0 not in rows:
            first, last = _comment_rows(self._module, self._source, row)
            if bisect_left(rows, first) == bisect_right(rows, last):
                return False
        table = self._table
        return _covers_finding(diagnostic, table.file_codes) or _covers_finding(diagnostic, table.codes_at(row))

    def statement(self, row: int) -> Statement:
        """The logical line that holds a row of code. Raises LookupError."""
        for line in self._lines:
            if line.first <= row <= line.last and line.sure:
                return Statement(line.first, line.last, line.ends)
        raise LookupError(f"row {row} is in no statement")

    @property
    def directives(self) -> list[Directive]:
        """The suppressions of the file; none where nothing in it looks like one."""
        return self._table.directives if self._named_codes else []

    def find_unused(
        self, found: Iterable[Diagnostic], decided: Callable[[str], bool | None], own: str
    ) -> Iterator[UnusedSuppression]:
        """The suppressions that suppress nothing of `found`, the findings before suppression.

        decided: whether all rules with a prefix have run; None if no rule has it.
        own: the code of the rule that reports this, which can be suppressed as well.
        """
        at = [(self._source.line_of(d.span.start), d) for d in found]
        everywhere = [finding for _, finding in at]
        for directive in self.directives:
            if (
                not directive.sure
                or (directive.kind == "noqa" and directive.codes is None)
                or self._is_exempt(directive, own)
            ):
                continue
            silenced = (
                everywhere
                if directive.kind == "file-ignore"
                else [finding for row, finding in at if directive.covers_row(row)]
            )
            verdicts = {prefix: decided(prefix) for prefix in directive.prefixes}
            idle = tuple(
                p for p, verdict in verdicts.items() if verdict and not any(_covers_finding(d, (p,)) for d in silenced)
            )
            unknown = tuple(p for p, verdict in verdicts.items() if verdict is None and directive.kind != "noqa")
            if idle or not verdicts:
                yield UnusedSuppression(
                    directive, tuple(filter(None, idle)), False, remove_codes(self._source, directive, idle)
                )
            if unknown:
                yield UnusedSuppression(directive, unknown, True, remove_codes(self._source, directive, unknown))

    def _is_exempt(self, directive: Directive, own: str) -> bool:
        """Whether `own` must not report a suppression: it names that code itself, or another suppression applies to it."""
        if own in directive.prefixes:
            return True
        rows = directive.first, directive.last
        return any(
            own.startswith(other.prefixes)
            for other in self.directives
            if other is not directive and (other.kind == "file-ignore" or (other.first, other.last) == rows)
        )

    @cached_property
    def _named_codes(self) -> list[tuple[int, tuple[str, ...]]]:
        """The rows (0: the whole file) of possible suppressions with their prefixes; text in a string that looks like a comment
        counts, too. Most files name codes of other tools only, and need not be tokenized."""
        text = self._source.text
        lowered = text.lower()
        if "noqa" not in lowered and "placefix" not in lowered:
            return []
        row_of = self._source.line_of
        found = [
            (0 if match["file"] else row_of(match.start()), _codes(match["codes"])) for match in _IGNORE.finditer(text)
        ]
        return found + [(row_of(match.start()), _codes(match["codes"])) for match in _NOQA.finditer(text)]

    @cached_property
    def _table(self) -> _SuppressionTable:
        return _SuppressionTable(self._lines, self._source)

    @cached_property
    def _lines(self) -> list[_LogicalLine]:
        return list(_logical_lines(self._source))


def _comment_rows(module: ast.Module, source: Source, row: int) -> tuple[int, int]:
    """Rows (1-based), first and last, of all comments that may apply to `row`: from the end of the statement
    before to the start of the next line of code."""
    first, last = 1, sys.maxsize
    todo: list[list[ast.stmt]] = [module.body]
    while todo:
        suite = todo.pop()
        index = bisect_left(suite, row, key=_last_row)
        if index:
            first = max(first, _last_row(suite[index - 1]))
        for stmt in itertools.islice(suite, index, None):
            start = min((stmt, *getattr(stmt, "decorator_list", ())), key=lambda node: node.lineno)
            if start.lineno <= row:
                todo += _suites(stmt)
            elif not source.line(start.lineno)[: start.col_offset].strip(" \t\f@"):  # else it goes on with a line
                last = min(last, start.lineno)
                break
    return first, last


def _last_row(stmt: ast.stmt) -> int:
    return stmt.end_lineno or stmt.lineno


def _suites(stmt: ast.stmt) -> list[list[ast.stmt]]:
    parts = (stmt, *getattr(stmt, "handlers", ()), *getattr(stmt, "cases", ()))
    return [
        suite for part in parts for field in ("body", "orelse", "finalbody") if (suite := getattr(part, field, None))
    ]


class _SuppressionTable:
    """Prefixes silenced per logical line, and for the whole file."""

    def __init__(self, lines: Iterable[_LogicalLine], source: Source) -> None:
        self.directives: list[Directive] = []
        self._firsts: list[int] = []
        self._entries: list[tuple[int, tuple[str, ...]]] = []  # last row, prefixes
        pending: list[Directive] = []  # from comments on lines of their own, for the next line of code of their cell
        above = 0  # the row of the last one
        for line in lines:
            is_code = line.last >= line.first
            here = [found for comment in line.comments for found in _directives(comment, line)]
            self.directives += (found for found in here if found.kind == "file-ignore")
            here = [found for found in here if found.kind == "ignore" or (found.kind == "noqa" and is_code)]
            if not is_code:
                pending += here
                above = source.line_of(here[-1].span.start) if here else above
                continue
            if pending and source.row_cell(above) == source.row_cell(line.first):
                here += (found._replace(first=line.first, last=line.last) for found in pending)
            else:
                self.directives += pending
            pending = []
            if here:
                self.directives += here
                self._firsts.append(line.first)
                self._entries.append((line.last, tuple(code for found in here for code in found.prefixes)))
        self.directives += pending
        self.file_codes = tuple(
            code for found in self.directives if found.kind == "file-ignore" for code in found.prefixes
        )

    def codes_at(self, row: int) -> tuple[str, ...]:
        """The prefixes that are silenced on a 1-based row."""
        at = bisect_right(self._firsts, row) - 1
        if at < 0:
            return ()
        last, codes = self._entries[at]
        return codes if row <= last else ()


def _codes(listed: str | None) -> tuple[str, ...]:
    """Prefixes a comment names; no list at all means every rule, an empty list none."""
    if listed is None:
        return _EVERYTHING
    return tuple(match[0].upper() for match in _CODE.finditer(listed))


def _directives(comment: _Comment, line: _LogicalLine) -> Iterator[Directive]:
    """The suppressions in a comment of a logical line."""
    whole = Span(comment.start, comment.start + len(comment.text))
    noqa = _NOQA.search(comment.text)
    for match in (*_IGNORE.finditer(comment.text), *([noqa] if noqa else ())):
        at = comment.start + match.start("codes")
        codes = None
        if match["codes"] is not None:
            codes = tuple(
                (code[0].upper(), Span(at + code.start(), at + code.end())) for code in _CODE.finditer(match["codes"])
            )
        kind: DirectiveKind = "noqa" if match is noqa else "file-ignore" if match["file"] else "ignore"
        span = Span(comment.start + match.start(), comment.start + match.end())
        yield Directive(kind, codes, line.first, line.last, span, whole, line.sure)


def _logical_lines(source: Source) -> Iterator[_LogicalLine]:
    """Logical lines in order; a run of comments outside any has `last` < `first`."""
    comments: list[_Comment] = []
    ends: list[int] = []
    first = 0
    row = 0
    try:
        for token in tokenize.generate_tokens(_line_reader(source)):
            row = token.start[0]
            if token.type == tokenize.COMMENT:
                comments.append(_Comment(row, source.line_starts[row - 1] + token.start[1], token.string))
            if token.type not in _LAYOUT and not first:
                first = row
            if first and token.type in (tokenize.NEWLINE, tokenize.NL):
                ends.append(row)
            if token.type == tokenize.NEWLINE:
                # The trailing comment comes before NEWLINE. Comments on separate lines
                # above the code are a separate group.
                own = [c for c in comments if c.row < first]
                if own:
                    yield _LogicalLine(1, 0, own)
                yield _LogicalLine(first, token.end[0], comments[len(own) :], ends=tuple(ends))
                comments, ends, first = [], [], 0
    except (tokenize.TokenError, SyntaxError):
        # ast read the file and tokenize does not: rare (odd continuations, stray bytes). From
        # here on look at physical lines, where a marker inside a string counts too:
        # to suppress one finding too many is the smaller mistake.
        start = first or row or 1
        if comments:
            yield _LogicalLine(1, 0, comments)
        for number in range(start, len(source.line_starts) + 1):
            yield _LogicalLine(
                number, number, [_Comment(number, source.line_starts[number - 1], source.line(number))], sure=False
            )
        return
    if comments:
        yield _LogicalLine(1, 0, comments)


def _line_reader(source: Source) -> Callable[[], str]:
    """A readline over the file's lines as Python counts them (a lone carriage return ends one)."""
    lines = (source.line(number).rstrip("\r\n") + "\n" for number in range(1, len(source.line_starts) + 1))
    return lambda: next(lines, "")


# Removing codes from comments


def remove_codes(source: Source, directive: Directive, gone: Iterable[str]) -> Remark:
    """The edit that removes codes from a suppression; with the last code it removes the suppression and its reason.

    gone: the codes, in capitals. The rest of the comment stays.
    """
    left = [(code, span) for code, span in directive.codes or () if code not in {*gone}]
    if not left:
        return _remove_directive(source, directive)
    codes = directive.codes or ()
    kept, listed = "", Span(codes[0][1].start, codes[-1][1].end)
    for number, (code, span) in enumerate(codes):
        if (code, span) in left:
            between = source.text[codes[number - 1][1].end : span.start] if kept else ""
            kept += between + source.segment(span)
    return Remark(listed, kept, source.segment(listed))


def _remove_directive(source: Source, directive: Directive) -> Remark:
    """The edit that removes a suppression."""
    text, comment = source.text, directive.comment
    start, end = directive.span.start, comment.end
    following = _NEXT.search(text, directive.span.end, comment.end)
    reason = text[directive.span.end : following.start() if following else comment.end].strip()
    if following is not None:
        return _cut_text(text, start, following.start())
    if directive.kind == "noqa" and reason:  # the rest is a comment without a meaning for tools
        return _cut_text(text, start, end, reason if reason.startswith("#") else f"# {reason}")
    while text[start - 1 : start] in (" ", "\t", "\f"):
        start -= 1
    if start == 0 or text[start - 1] in "\r\n":  # nothing else is on the line
        if end < len(text):
            end += 2 if text.startswith("\r\n", end) else 1
        elif start:  # there was no final newline, and there will be none
            start -= 2 if text.startswith("\r\n", start - 2) else 1
    return _cut_text(text, start, end)


def _cut_text(text: str, start: int, end: int, new: str = "") -> Remark:
    return Remark(Span(start, end), new, text[start:end])
