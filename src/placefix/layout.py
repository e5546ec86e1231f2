"""Positions of statements in the text: lines, comments, suites, shared lines. Reads the `ast` tree, imports no libcst, changes nothing.

The tree has no comments. To a statement belong the comment lines directly above it (without a blank line between), the comment
behind it and, for a compound statement, the deeper comment lines at the end of its body.
"""

from __future__ import annotations

import ast
import itertools
import re
from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Span
from placefix.expression_spans import ExpressionSpans

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from placefix.source import Source

_NL = r"(?:\r\n|\r|\n)"
_SPACE = rf"(?:[ \t\f]|\\{_NL})*"
_SEMICOLON = re.compile(rf"{_SPACE};{_SPACE}")
# Text that may follow a statement at the end of its line: a stray `;`, a comment, the newline.
_LINE_REST = re.compile(rf"(?:[ \t\f;]|\\{_NL})*(?:\#[^\r\n]*)?(?:{_NL}|\Z)")
_HEAD_GAP = re.compile(rf":({_SPACE})\Z")
_COLON = re.compile(r"(?:[^:#]|#[^\r\n]*(?=[\r\n]))*?:")
_COMMENT = re.compile(r"[ \t\f]*#")
_BLANK = re.compile(rf"[ \t]*{_NL}\Z|[ \t]+\Z")
# Comments that belong to their place and not to the statement below: notebook cells, folding
# regions, the ends of a formatter-free region; on the first two lines shebang and cookie.
_STAYS = re.compile(r"[ \t\f]*#[ \t]*(?:%%|In\[|region\b|endregion\b|fmt:|yapf:|placefix:[ \t]*file-ignore)")
_CELL = re.compile(r"[ \t\f]*#[ \t]*(?:%%|In\[)")
_TOP = re.compile(r"[ \t\f]*#(?:!|.*coding[:=])")
_FORMATTER = re.compile(r"([ \t\f]*)#[ \t]*(?:fmt:[ \t]*(off|on)|yapf:[ \t]*(disable|enable))\b")
_SKIP = re.compile(r"#[ \t]*fmt:[ \t]*skip\b")
_TYPE = re.compile(r"#[ \t]*type:(?![ \t]*ignore\b)")


class RewriteError(Exception):
    """A span does not hold the text that the edit expects, or an edit is inconsistent: a bug of the caller.

    The message is one line and names the row, 1-based.
    """


class RefusedError(RewriteError):
    """A correct edit that the writer does not write in this layout; the message has the reason."""


class StatementPlace(NamedTuple):
    """A statement and its position: `suite[nth]` is `node`, `owner` holds the suite."""

    node: ast.stmt
    span: Span
    suite: list[ast.stmt]
    nth: int
    owner: ast.AST


class Region(NamedTuple):
    """A simple statement, or a compound statement's header, with text around it that makes it a program.

    `prefix + text[span] + suffix` parses; `nodes` are the ast nodes inside it.
    """

    span: Span
    prefix: str
    suffix: str
    nodes: tuple[ast.AST, ...]


class Gap(NamedTuple):
    """Where new lines go: text[start:end] becomes `prefix + lines + suffix`.

    `indent` is the indentation of the suite; `opening` the span between the colon and the
    first statement of a one-line suite, which must become a newline and `indent`.
    """

    start: int
    end: int
    prefix: str
    suffix: str
    indent: str
    opening: Span | None


def suites(node: ast.AST) -> Iterator[tuple[ast.AST, list[ast.stmt]]]:
    """Every suite of a node, in source order, with the node that holds it."""
    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
        found = getattr(node, name, None)
        if not isinstance(found, list) or not found:
            continue
        if isinstance(found[0], ast.stmt):
            yield node, found
        else:
            for holder in found:
                yield holder, holder.body


class Layout:
    """Answers about one parsed file; `tree` must be the tree of `source.text`."""

    def __init__(self, source: Source, tree: ast.Module) -> None:
        self.source = source
        self.text = source.text
        self.tree = tree
        self._spans: dict[ast.AST, Span] = {}
        self._around: dict[int, StatementPlace] = {}  # by the identity of a suite: the statement that it is in
        self._expressions: dict[Span, ExpressionSpans] = {}

    # --- finding ---------------------------------------------------------------------

    def span(self, node: ast.AST) -> Span:
        """Span of a node that has a position."""
        found = self._spans.get(node)
        if found is None:
            found = self._spans[node] = self.source.span(node)
        return found

    def row(self, offset: int) -> str:
        """`row N`, for messages."""
        return self.source.row_name(self.source.line_of(offset), "row")

    @cached_property
    def _places(self) -> list[StatementPlace]:
        """Every statement, in source order."""
        found: list[StatementPlace] = []
        todo: list[tuple[ast.AST, list[ast.stmt]]] = [(self.tree, self.tree.body)]
        while todo:
            owner, suite = todo.pop()
            for nth, node in enumerate(suite):
                found.append(StatementPlace(node, self.span(node), suite, nth, owner))
                for holder, inner in suites(node):
                    self._around[id(inner)] = found[-1]
                    todo.append((holder, inner))
        return sorted(found, key=lambda place: place.span.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [place.span.start for place in self._places]

    def _innermost(self, span: Span) -> StatementPlace | None:
        """The innermost statement that holds `span`."""
        number = bisect_right(self._starts, span.start) - 1
        place = self._places[number] if number >= 0 else None
        while place is not None and place.span.end < span.end:
            place = self._around.get(id(place.suite))
        return place

    def place(self, span: Span) -> StatementPlace:
        """The statement that is exactly `span`; RewriteError if there is none."""
        found = self._innermost(span)
        if found is None or found.span != span:
            raise RewriteError(f"{self.row(span.start)}: the span is not a statement")
        return found

    def region(self, span: Span) -> Region:
        """The innermost simple statement or header around `span`."""
        holder = self._innermost(span)
        for region in self._regions(holder) if holder is not None else ():
            if region.span.start <= span.start and span.end <= region.span.end:
                return region
        raise RewriteError(f"{self.row(span.start)}: the span is not inside one statement")

    def expressions(self, region: Region) -> ExpressionSpans:
        """The expressions of a region."""
        found = self._expressions.get(region.span)
        if found is None:
            found = self._expressions[region.span] = ExpressionSpans(self.source, region.nodes)
        return found

    def _regions(self, place: StatementPlace) -> Iterator[Region]:
        node, start = place.node, place.span.start
        if not any(True for _ in suites(node)):
            yield Region(place.span, "", "\n", (node,))
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            # each decorator by itself: the lines below the first have a margin
            signs = [self.text.rindex("@", 0, self.span(part).start) for part in node.decorator_list]
            start = self.source.offset(node.lineno, node.col_offset)
            for part, sign, end in zip(node.decorator_list, signs, [*signs, start][1:], strict=True):
                yield Region(Span(sign, end), "", "\ndef f(): pass\n", (part,))
        yield self._header(start, "if 1: pass\n" if self.is_elif(node) else "", node)
        for holder, _ in suites(node):
            if isinstance(holder, ast.ExceptHandler):
                yield self._header(self.span(holder).start, "try: pass\n", holder)
            elif isinstance(holder, ast.match_case):
                yield self._header(self._case(holder), "match 1:\n ", holder)

    def _header(self, start: int, prefix: str, node: ast.AST) -> Region:
        parts = tuple(header_parts(node))
        colon = _COLON.match(self.text, max((self.span(part).end for part in parts), default=start))
        if colon is None:  # pragma: no cover - every header has a colon
            raise RewriteError(f"{self.row(start)}: no colon ends the header")
        suffix = "\n  case _: pass\n" if isinstance(node, ast.Match) else " pass\n"
        return Region(Span(start, colon.end()), prefix, suffix, parts)

    def is_elif(self, node: ast.AST) -> bool:
        """Whether an `if` statement is spelled `elif`."""
        return isinstance(node, ast.If) and self.text.startswith("elif", self.span(node).start)

    # --- lines -----------------------------------------------------------------------

    def indent(self, place: StatementPlace) -> str:
        """The indentation of the suite, without form feeds."""
        first = StatementPlace(place.suite[0], self.span(place.suite[0]), place.suite, 0, place.owner)
        if self.opening(first) is None:
            return self.margin(first.span.start)
        owner = place.owner
        start = self._case(owner) if isinstance(owner, ast.match_case) else self.span(owner).start
        return self.margin(start) + self.unit

    def _case(self, case: ast.match_case) -> int:
        """The offset of the keyword of a case."""
        return self.text.rindex("case", 0, self.span(case.pattern).start)

    def margin(self, offset: int) -> str:
        """The white space before `offset` on its line, without form feeds."""
        start = self.source.line_starts[self.source.line_of(offset) - 1]
        return self.text[start:offset].rpartition("\f")[2]

    @cached_property
    def unit(self) -> str:
        """One level of indentation, as the file has it; four spaces where it has none."""
        for node in ast.walk(self.tree):
            for _, suite in suites(node) if isinstance(node, ast.stmt) else ():
                outer, inner = self.margin(self.span(node).start), self.margin(self.span(suite[0]).start)
                if not inner.strip() and inner.startswith(outer) and len(inner) > len(outer):
                    return inner[len(outer) :]
        return "    "

    def opening(self, place: StatementPlace) -> Span | None:
        """For the first statement of a one-line suite (`if x: place`): the gap behind the colon."""
        if place.nth or place.owner is self.tree:
            return None
        found = _HEAD_GAP.search(self.text, self._bound(place), place.span.start)
        return Span(*found.span(1)) if found else None

    def shares_left(self, place: StatementPlace) -> bool:
        """Whether another statement and a `;` come before `place` on its line."""
        if not place.nth:
            return False
        before = self.span(place.suite[place.nth - 1]).end
        found = _SEMICOLON.match(self.text, before)
        return found is not None and found.end() == place.span.start

    def shares_right(self, place: StatementPlace) -> bool:
        """Whether another statement follows `place` behind a `;`."""
        return place.nth + 1 < len(place.suite) and self.shares_left(self.sibling(place, 1))

    def sibling(self, place: StatementPlace, step: int) -> StatementPlace:
        """The statement `step` places further in the same suite."""
        index = place.nth + step
        node = place.suite[index]
        return StatementPlace(node, self.span(node), place.suite, index, place.owner)

    def _bound(self, place: StatementPlace) -> int:
        """End of the last code before `place`."""
        if place.nth:
            return self.span(place.suite[place.nth - 1]).end
        if place.owner is self.tree:
            return 0
        ends = [self.span(part).end for part in header_parts(place.owner)]
        ends += [self.span(suite[-1]).end for _, suite in suites(place.owner)]
        start = self.span(place.owner).start if hasattr(place.owner, "lineno") else 0
        return max((end for end in ends if end <= place.span.start), default=start)

    def block(self, first: StatementPlace, last: StatementPlace) -> Span:
        """The whole lines of a run of statements, with the comments that belong to them."""
        source = self.source
        line = source.line_of(first.span.start)
        column = _column_width(self.margin(first.span.start))
        bound = self._bound(first)
        floor = source.line_of(bound) if bound or first.nth else 0
        while line - 1 > floor:
            above = source.line(line - 1)
            if not _COMMENT.match(above) or _margin_width(above) > column:
                break
            if _STAYS.match(above) or (line <= 3 and _TOP.match(above)):
                break
            line -= 1
        return Span(source.line_starts[line - 1], self.tail(last))

    def tail(self, place: StatementPlace) -> int:
        """Offset behind the last line of `place`, its newline included."""
        rest = _LINE_REST.match(self.text, place.span.end)
        if rest is None:
            raise RewriteError(f"{self.row(place.span.end)}: the statement does not end its line")
        end = rest.end()
        if not any(True for _ in suites(place.node)):
            return end
        # comment lines deeper than the statement close its body
        column = _column_width(self.margin(place.span.start))
        line = self.source.line_of(end)
        starts = self.source.line_starts
        while end < len(self.text) and line <= len(starts):
            text = self.source.line(line)
            if _COMMENT.match(text) and _margin_width(text) > column:
                end = starts[line - 1] + len(text)
            elif not _BLANK.match(text):
                break
            line += 1
        return end

    def blanks(self, offset: int, step: int) -> list[Span]:
        """The blank lines directly above (step -1) or below (+1) a line start, nearest first."""
        source, found = self.source, []
        line = source.line_of(offset) + (step if step < 0 else 0)
        if step > 0 and offset == len(self.text):
            return []
        while 1 <= line <= len(source.line_starts):
            text = source.line(line)
            if not _BLANK.match(text):
                break
            start = source.line_starts[line - 1]
            found.append(Span(start, start + len(text)))
            line += step
        return found

    # --- writing places ----------------------------------------------------------------

    def gap(self, place: StatementPlace, where: str) -> Gap:
        """The place of lines next to `place`: above the comments that belong to it, under those, or below it."""
        if self.is_elif(place.node):
            raise RefusedError(f"{self.row(place.span.start)}: nothing can be written beside an elif")
        newline, indent = self.source.newline, self.indent(place)
        opening = self.opening(self.sibling(place, -place.nth))
        if where in ("before", "under"):
            if self.shares_left(place):
                return Gap(self.sibling(place, -1).span.end, place.span.start, newline, indent, indent, opening)
            if opening is not None:
                return Gap(opening.start, opening.end, newline, indent, indent, None)
            start = self.block(place, place).start if not self.shares_right(place) else self._first_line(place)
            first = self.source.line_of(start)
            if where == "under" or (
                first > 1 and _CELL.match(self.source.line(first - 1))
            ):  # a cell begins with its text
                start = self.source.line_starts[self.source.line_of(place.span.start) - 1]
            return Gap(start, start, "", "", indent, None)
        if where != "after":
            raise RewriteError(f"{self.row(place.span.start)}: where is {where!r}, not before, under or after")
        if self.shares_right(place):
            return Gap(place.span.end, self.sibling(place, 1).span.start, newline, indent, indent, opening)
        end = self.tail(place)
        ended = self.text[end - 1 : end] in ("\n", "\r")
        return Gap(end, end, "" if ended else newline, "", indent, opening)

    def _first_line(self, place: StatementPlace) -> int:
        last = place
        while self.shares_right(last):
            last = self.sibling(last, 1)
        return self.block(place, last).start

    def blank_above(self, gap: Gap) -> bool:
        """Whether lines in the gap would follow a blank line or open the file."""
        return not gap.prefix and (self.source.opens(gap.start) or bool(self.blanks(gap.start, -1)))

    def blank_below(self, gap: Gap) -> bool:
        """Whether lines in the gap would precede a blank line or end the file."""
        return gap.start == gap.end and (self.source.closes(gap.end) or bool(self.blanks(gap.end, 1)))

    def runs(self, places: Sequence[StatementPlace]) -> list[tuple[StatementPlace, StatementPlace]]:
        """Group statements of one suite into runs that can be moved together: (first, last) each. None crosses a fixed line."""
        grouped: list[list[StatementPlace]] = []
        for place in places:
            above = grouped[-1][-1] if grouped else None
            if above and place.nth == above.nth + 1 and not self.source.keeps(above.span.end, place.span.start):
                grouped[-1].append(place)
            else:
                grouped.append([place])
        runs: list[tuple[StatementPlace, StatementPlace]] = []
        for group in grouped:
            # the part that shares a line with a statement that stays comes off by itself
            starts = [n for n, place in enumerate(group) if n and not self.shares_left(place)]
            cuts = starts[:1] if self.shares_left(group[0]) or self.opening(group[0]) else []
            cuts += starts[-1:] if self.shares_right(group[-1]) else []
            edges = [0, *sorted(set(cuts)), len(group)]
            runs += [(group[a], group[b - 1]) for a, b in itertools.pairwise(edges)]
        return runs

    def shares_line(self, first: StatementPlace, last: StatementPlace) -> bool:
        """Whether a run shares its first or last line with something that is not of the run."""
        return self.shares_left(first) or self.shares_right(last) or self.opening(first) is not None

    def body(self, first: StatementPlace, last: StatementPlace) -> Span:
        """The range that moves with a run: whole lines, or only its text if others share its line."""
        if self.shares_line(first, last):
            return Span(first.span.start, last.span.end)
        return self.block(first, last)

    def lines(self, place: StatementPlace) -> Span:
        """The lines of a statement with its comments, whoever shares them."""
        if not self.shares_line(place, place):
            return self.block(place, place)
        starts, last = self.source.line_starts, self.source.line_of(place.span.end)
        end = starts[last] if last < len(starts) else len(self.text)
        return Span(starts[self.source.line_of(place.span.start) - 1], end)

    def removal(self, first: StatementPlace, last: StatementPlace) -> Span:
        """The range that is deleted with a run: its body, a `;`, and blank lines that would pile up."""
        if self.shares_right(last):
            return Span(first.span.start, self.sibling(last, 1).span.start)
        if self.shares_left(first):
            return Span(self.sibling(first, -1).span.end, last.span.end)
        start, end = self.block(first, last)
        above, below = self.blanks(start, -1), self.blanks(end, 1)
        rest = below[-1].end if below else end
        if self.source.closes(rest) or (last.nth + 1 == len(last.suite) and not self._footer(rest, first)):
            start = above[-1].start if above else start
            return Span(start, end)
        top = (
            not above
            and (not first.nth or self.source.opens(start))
            and (self.source.opens(start) or not _COMMENT.match(self.source.line(self.source.line_of(start) - 1)))
        )
        drop = len(below) if top else min(len(above), len(below))
        return Span(start, below[drop - 1].end if drop else end)

    def _footer(self, offset: int, place: StatementPlace) -> bool:
        """Whether the line at `offset` is a comment of the suite of `place`."""
        line = self.source.line(self.source.line_of(offset))
        return (
            offset < len(self.text)
            and bool(_COMMENT.match(line))
            and _margin_width(line) >= _column_width(self.margin(place.span.start))
        )


def newline_before(text: str, offset: int) -> int:
    """Length of the newline that ends at `offset`."""
    if text[max(offset - 2, 0) : offset] == "\r\n":
        return 2
    return 1 if text[max(offset - 1, 0) : offset] in ("\r", "\n") else 0


def _margin_width(line: str) -> int:
    line = line.rpartition("\f")[2]
    return _column_width(line[: len(line) - len(line.lstrip(" \t"))])


def _column_width(margin: str) -> int:
    """Columns of white space; tabs reach the next multiple of eight, as Python has them."""
    return len(margin.expandtabs(8))


def header_parts(node: ast.AST) -> Iterator[ast.AST]:
    """The positioned nodes of a compound statement's header."""
    for _, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else (value,)
        if children and isinstance(children[0], (ast.stmt, ast.ExceptHandler, ast.match_case)):
            continue  # a suite, which may be long
        for child in children:
            if hasattr(child, "lineno"):
                yield child
            elif isinstance(child, ast.AST):
                yield from header_parts(child)


def why_protected(source: Source, span: Span) -> str | None:
    """Why the statement at `span` must stay as and where it is, in one sentence, or None.

    A formatter-free region (``# fmt: off``), ``# fmt: skip`` and a type comment (``# type: …``,
    but not ``# type: ignore``, which may go along) tie a statement to its place.
    """
    text = source.text
    rest = _LINE_REST.match(text, span.end)
    own = text[span.start : rest.end() if rest else span.end]
    if _SKIP.search(own):
        return "the statement carries `# fmt: skip`"
    if _TYPE.search(own):
        return "the statement carries a type comment"
    first, last = source.line_of(span.start), source.line_of(max(span.end - 1, span.start))
    rows = _formatter_free_rows(source)
    index = bisect_left(rows, first)
    if index < len(rows) and rows[index] <= last:
        return "the statement is in a `# fmt: off` region"
    return None


@lru_cache(maxsize=1)
def _formatter_free_rows(source: Source) -> list[int]:
    """The 1-based lines of formatter-free regions, in order."""
    rows: list[int] = []
    if "fmt:" not in source.text and "yapf:" not in source.text:
        return rows
    off: int | None = None  # the margin of the open region
    for number in range(1, len(source.line_starts) + 1):
        line = source.line(number)
        found = _FORMATTER.match(line)
        if found:
            off = _margin_width(line) if found[2] == "off" or found[3] == "disable" else None
        elif off is not None and line.strip() and not _COMMENT.match(line) and _margin_width(line) < off:
            off = None
        if off is not None:
            rows.append(number)
    return rows
