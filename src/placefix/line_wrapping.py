"""Wraps the lines that fixes write to the file's line length, and keeps continuation lines aligned with their bracket.

A statement that a fix makes too long is wrapped as black wraps one: the content of a pair of brackets goes to separate lines, with a comma
at the end if each element has one; a chain of calls has a line for each; a call that has several lines already is broken behind a comma.
A line that was too long before is not changed, nor one that cannot be broken, nor one that only its comment makes too long. The syntax tree
of the statement is compared before and after.
"""

from __future__ import annotations

import ast
import io
import itertools
import re
import tokenize
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Span
from placefix.layout import Layout, RewriteError, why_protected
from placefix.parsing import parse_quietly
from placefix.recursion import final_recursion_errors
from placefix.source import Source
from placefix.text_edits import TextEdit, splice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# Without a configured line length the limit is that of 199 of 200 lines of the file, but at least black's. A line that is longer than
# black's may grow to 120 columns.
_LEAST = 88
_PEP8, _MANY = 79, 100
_MOST_COLUMNS = 120
_TAB = 4  # columns, as black and ruff count them
_PRAGMA = re.compile(r"#[ \t]*(?:noqa|type:|pragma|pylint|pyright|mypy|fmt:|placefix:|nosec)", re.IGNORECASE)
_COMMENT = re.compile(r"[ \t]*(?:#[^\r\n]*)?")
_TRAILING = re.compile(r"\s+#[^'\"]*$")
_LINE_END = re.compile(r"[\r\n]")
_NAMES = re.compile(r"[\w.]*")
_NEWLINES = re.compile(r"\r\n|\r")
_OPENS, _CLOSES = "([{", ")]}"
# Limits: the number of breaks in one statement, and the least number of characters that justifies a separate line.
_MOST = 8
_WORTH = 8


class Bracket(NamedTuple):
    """A pair of brackets in a text: offsets of both, the commas directly inside, and whether it holds a comprehension."""

    open: int
    close: int
    commas: tuple[int, ...]
    loops: bool


def fit_lines(layout: Layout, edits: list[TextEdit]) -> list[TextEdit]:
    """The sorted edits of `layout`'s text, with the lines they touch aligned and wrapped."""
    if not edits:
        return edits
    edits = _align_continuations(layout, edits)
    source = layout.source
    after = splice(source.text, edits)
    least = source.limit or _least_length(source.text)
    rows = list(_lengthened_lines(layout, edits, after, least))
    if not rows:
        return edits
    limit = source.limit or max(least, _usual_length(layout))
    rows = [offset for offset in rows if _width(_TRAILING.sub("", _line(after, offset))) > limit]
    later = _wrap_statements(Source(after, source.name), rows, limit) if rows else []
    return _compose(after, edits, later) if later else edits


# --- how long lines are -------------------------------------------------------------------------


def _width(line: str) -> int:
    return len(line.rstrip("\r\n").expandtabs(_TAB))


def _line(text: str, offset: int) -> str:
    """The line around an offset, without its end."""
    return text[_start(text, offset) : _end(text, offset)]


def _start(text: str, offset: int) -> int:
    """Where the line around an offset begins."""
    start = text.rfind("\n", 0, offset) + 1
    return max(start, text.rfind("\r", start, offset) + 1)


def _end(text: str, offset: int) -> int:
    """Where it ends, without the newline."""
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    returns = text.find("\r", offset, end)
    return end if returns < 0 else returns


@lru_cache(maxsize=1)  # each finding of a file asks for the file's
def _least_length(text: str) -> int:
    """The length that lines may have at least without a configured one: black's, but that of PEP 8 in a long file which keeps that."""
    lines = text.splitlines()
    return _LEAST if len(lines) < _MANY or any(_width(line) > _PEP8 for line in lines) else _PEP8


def _usual_length(layout: Layout) -> int:
    """The length that 199 of 200 lines of the file keep. Only code counts: no comment, no line inside a string, none that a string makes
    long: formatters leave that one."""
    strings = {
        row
        for node in ast.walk(layout.tree)
        if isinstance(node, (ast.Constant, ast.JoinedStr))
        and ((node.end_lineno or 0) > node.lineno or (_is_text(node) and (node.end_col_offset or 0) > _LEAST))
        for row in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    lines = enumerate(re.split(r"\r\n|\r|\n", layout.text), 1)
    code = [line for row, line in lines if line.strip() and row not in strings and not line.lstrip().startswith("#")]
    long = sorted(_width(_TRAILING.sub("", line)) for line in code if len(line) > _LEAST - _TAB)
    usual = long[: len(long) - len(code) // 200]
    return usual[-1] if usual else 0


def _is_text(node: ast.Constant | ast.JoinedStr) -> bool:
    """Whether a literal is a string."""
    return isinstance(node, ast.JoinedStr) or isinstance(node.value, (str, bytes))


def _lengthened_lines(layout: Layout, edits: Iterable[TextEdit], after: str, limit: int) -> Iterator[int]:
    """Offsets in the text `after` of the lines, one each, that the edits make longer than `limit`."""
    text, shift = layout.text, 0
    examined, behind = -1, 0  # the last line, and where the next one begins: many edits may be of one line
    old: set[str] | None = None
    for start, end, content in edits:
        first, last = start + shift, start + shift + len(content)
        shift += len(content) - (end - start)
        at = _start(after, first)
        if at == examined:
            at = behind
        while at <= last:
            line = _line(after, at)
            examined, behind = at, at + len(line) + 1
            if _width(line) > limit and _width(_TRAILING.sub("", line)) > limit:
                was = _line(text, start)
                if old is None:
                    old = {line.strip() for line in re.split(r"\r\n|\r|\n", text) if _width(line) > limit}
                whole = "\n" in content or "\n" in text[start:end]
                kin = line.strip()[:20]
                bare = _width(_TRAILING.sub("", line))
                allowed = limit if layout.source.limit or bare <= _MOST_COLUMNS else _MOST_COLUMNS
                stays = line.strip() in old or (
                    any(o.startswith(kin) for o in old) if whole else _width(_TRAILING.sub("", was)) > allowed
                )
                if not stays:
                    yield at
            at = behind


# --- lines under their bracket -------------------------------------------------------------------


def _align_continuations(layout: Layout, edits: list[TextEdit]) -> list[TextEdit]:
    """The edits, with further ones that shift continuation lines aligned with a bracket that the edits shift."""
    text = layout.text
    regions: dict[Span, list[TextEdit]] = {}
    for edit in edits:
        if _LINE_END.search(edit.content) or edit.start == edit.end == len(text):
            continue
        end = _end(text, edit.start)
        if all(text.find(bracket, edit.start, end) < 0 for bracket in _OPENS):
            continue  # nothing opens behind it
        try:
            region = layout.region(Span(edit.start, edit.end)).span
        except RewriteError:
            continue
        if any(text.find(newline, region.start, region.end) >= 0 for newline in "\r\n"):
            regions.setdefault(region, []).append(edit)
    more: list[TextEdit] = []
    for region, mine in regions.items():
        more += _continuation_margins(text, region, mine)
    return sorted([*edits, *more]) if more else edits


def _continuation_margins(text: str, region: Span, edits: Sequence[TextEdit]) -> Iterator[TextEdit]:
    """The edits of the margins of a statement's lines that stood right behind a bracket of a line above."""
    old = text[region.start : region.end].replace("\r\n", " \n").replace("\r", "\n")  # as long as it was
    brackets = _brackets(old)
    if brackets is None or "\\" in old:
        return
    moved: dict[int, int] = {}  # line start -> by how much its margin grows
    on_line: dict[int, list[TextEdit]] = {}
    for edit in edits:
        on_line.setdefault(_start(text, edit.start), []).append(edit)

    def column(offset: int) -> int:
        """The 0-based column of an offset."""
        return offset - _start(text, offset)

    def grown(offset: int) -> int:
        """By how much the text before `offset` on its line grows."""
        start = _start(text, offset)
        return moved.get(start, 0) + sum(
            len(e.content) - (e.end - e.start) for e in on_line.get(start, ()) if e.end <= offset
        )

    for match in re.finditer(r"\n([ \t]*)(?=[^\s])", old):
        start, margin = region.start + match.start(1), match[1]
        here = match.end()
        around = [b for b in brackets if b.open < here <= b.close]
        if not around or any(e.start <= start < e.end for e in edits):
            continue
        inner = max(around, key=lambda b: b.open)
        bracket = region.start + inner.open
        if "\t" in _line(text, bracket)[: column(bracket)] or len(margin) != column(bracket) + 1:
            continue
        if text[bracket + 1 : bracket + 2] in ("\n", "\r", ""):
            continue
        by = grown(bracket)
        if by:
            moved[start] = by
            yield TextEdit(start, start + len(margin), " " * (len(margin) + by))


# --- wrapping ------------------------------------------------------------------------------------


def _wrap_statements(source: Source, rows: Iterable[int], limit: int) -> list[TextEdit]:
    """The edits of `source` that wrap the statements whose lines begin at `rows`, as far as that can be."""
    try:
        tree = parse_quietly(source.text)
    except final_recursion_errors():
        return []
    except (SyntaxError, ValueError, MemoryError):
        return []
    layout, text = Layout(source, tree), source.text
    found: dict[Span, TextEdit] = {}
    for at in rows:
        first = at + len(_line(text, at)) - len(_line(text, at).lstrip())
        try:
            region = layout.region(Span(first, first))
        except RewriteError:
            continue
        start, end = region.span
        if region.span in found or why_protected(source, region.span):
            continue
        margin = text[_start(text, start) : start]
        rest = _line(text, end)[end - _start(text, end) :]
        comment = _COMMENT.fullmatch(rest)
        if margin.strip() or comment is None or _PRAGMA.search(_line(text, end)) or "\\" in text[start:end]:
            continue
        old = _NEWLINES.sub("\n", text[start:end])
        value = getattr(region.nodes[0], "value", None) if len(region.nodes) == 1 else None
        alone = isinstance(value, ast.expr) and isinstance(
            region.nodes[0], (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)
        )
        gives = layout.span(value).start - start if alone and value is not None else None
        bare = isinstance(value, ast.Tuple)
        new = _wrap_statement(old, margin, layout.unit, limit, rest.partition("#")[0].rstrip(), gives, bare=bare)
        if new is None or not _is_same_program(region.prefix, old, new, region.suffix):
            continue
        found[region.span] = TextEdit(start, end, new.replace("\n", source.newline))
    return sorted(found.values())


def _is_same_program(prefix: str, old: str, new: str, suffix: str) -> bool:
    try:
        was, now = (ast.dump(parse_quietly(prefix + text + suffix)) for text in (old, new))
    except final_recursion_errors():
        return False
    except (SyntaxError, ValueError, MemoryError):
        return False
    return was == now


def _wrap_statement(
    text: str, margin: str, unit: str, limit: int, rest: str, value: int | None, *, bare: bool
) -> str | None:
    """A statement that follows `margin`, with `rest` behind its last line, in lines no longer than `limit`; None if that is
    impossible. value: the offset of the value that it binds or returns; bare: whether that is a tuple without parentheses."""

    def too_long(statement: str) -> list[int]:
        """The offsets at which lines begin that are too long."""
        lines = (margin + statement + rest).split("\n")
        starts, at = [], -len(margin)
        for line in lines:
            if _width(line) > limit:
                starts.append(max(at, 0))
            at += len(line) + 1
        return starts

    for _ in range(_MOST):
        long = too_long(text)
        if not long:
            return text
        new = _break_chain(text, value, margin, unit, limit) if value is not None and "\n" not in text else None
        if new is not None:
            return new
        new = _break_line(text, long[0], margin, unit, limit)
        if value is not None and "\n" not in text and (new is None or not _holds_all(text, new, value)):
            inner = margin + unit + text[value:]
            if text[value] not in _OPENS and (bare or _width(inner) <= limit):
                new = f"{text[:value]}(\n{inner}\n{margin})"
        if new is None:
            return None
        text = new
    return None


def _break_chain(text: str, value: int, margin: str, unit: str, limit: int) -> str | None:
    """The statement with its value in parentheses, and a line for each call of a chain ``f(x).view(1, -1).repeat(n, 1)`` if one line
    is too short; None where the value is no chain of two calls on results, or still too long."""
    links, at = [], value
    for pair in sorted(_brackets(text) or [], key=lambda bracket: bracket.open):
        if pair.open < at:
            continue  # in the brackets before
        if not _NAMES.fullmatch(text, at, pair.open):
            return None
        if text[at] == "." and at > value:
            links.append(at)
        at = pair.close + 1
    if len(links) < 2 or not _NAMES.fullmatch(text, at):
        return None
    chain = [text[a:b] for a, b in itertools.pairwise((value, *links, len(text)))]
    for parts in ([text[value:]], chain):
        lines = [f"{margin}{unit}{part}" for part in parts]
        if all(_width(line) <= limit for line in lines):
            return "\n".join([f"{text[:value]}(", *lines, f"{margin})"])
    return None


def _holds_all(text: str, new: str, value: int) -> bool:
    """Whether the pair of brackets that `new` breaks holds several elements and most of the value, or ends it."""
    at = next((n for n, (a, b) in enumerate(zip(text, new, strict=False)) if a != b), len(text))
    pairs = _brackets(text) or []
    pair = next((b for b in pairs if b.open == at - 1), None)
    if pair is None or (pair.close == len(text) - 1 and pair.open >= value):
        return True
    return bool(pair.commas) and 2 * (pair.close - pair.open) >= len(text) - value


class _LongLine(NamedTuple):
    """A line of a statement that is too long. start, end: its offsets in the statement; lead: the white space before its code;
    column: the columns in front of it that are not in the statement."""

    start: int
    end: int
    lead: str
    column: int


def _break_line(text: str, at: int, margin: str, unit: str, limit: int) -> str | None:
    """The statement with the line that begins at `at` broken in one place."""
    brackets = _brackets(text)
    if brackets is None:
        return None
    code = _line(text, at)
    lead = margin if at == 0 else code[: len(code) - len(code.lstrip())]
    line = _LongLine(at, at + len(code), lead, len(margin) if at == 0 else 0)
    broken = _break_at_commas(text, line, brackets) or _break_behind_comma(text, line, brackets, unit, limit)
    return broken if broken is not None else _break_inside_brackets(text, line, brackets, unit, limit)


def _break_at_commas(text: str, line: _LongLine, brackets: Sequence[Bracket]) -> str | None:
    """The statement with each element of a pair of brackets on a separate line, if the line has all of them and nothing else; else None."""
    for pair in brackets:
        body = text[pair.open + 1 : pair.close]
        whole = (
            pair.open < line.start and line.end <= pair.close and body.strip() == text[line.start : line.end].strip()
        )
        if whole and pair.commas and not pair.loops and text[pair.open] != "[" and "\n" in body:
            lines = "\n".join(f"{line.lead}{part}," for part in _elements(text, pair))
            return f"{text[: line.start]}{lines}{text[line.end :]}"
    return None


def _break_behind_comma(text: str, line: _LongLine, brackets: Sequence[Bracket], unit: str, limit: int) -> str | None:
    """The statement with the line broken behind a comma of brackets that have several lines, under their first element; None
    where that makes no line short enough."""
    at, end, lead, offset = line
    code = text[at:end]
    around = [b for b in brackets if b.open < at + len(code) - len(code.lstrip()) and at <= b.close] if at else []
    left = [b for b in brackets if at <= b.open < end <= b.close]
    outer = max(left, key=lambda b: b.open, default=None) or max(around, key=lambda b: b.open, default=None)
    if outer is None:
        return None
    commas = [
        c for c in outer.commas if at <= c < end - 1 and text[c + 1 : end].strip() and offset + c + 1 - at <= limit
    ]
    if not commas:
        return None
    behind, first = commas[-1] + 1, outer.open + 1
    ends_line = not text[first : first + 1].strip("\r\n")
    column = offset + first - at if outer in left and not ends_line else None
    under = " " * column if column is not None else lead if outer in around else lead + unit
    if len(under) + len(text[behind:end].lstrip()) > limit:
        return None
    return text[:behind] + "\n" + under + text[behind:].lstrip(" \t")


def _break_inside_brackets(
    text: str, line: _LongLine, brackets: Sequence[Bracket], unit: str, limit: int
) -> str | None:
    """The statement with the contents of the pair of brackets that holds most on separate lines, rather not of a subscript or of a call
    with one behind it; None without such a pair."""
    at, end, lead, offset = line
    within = [b for b in brackets if at <= b.open and b.close < end and b.close - b.open > _WORTH]
    outermost = [b for b in within if not any(o.open < b.open and b.close < o.close for o in within)]
    for pair in sorted(outermost, key=lambda b: (_subscript_rank(text, b), b.open - b.close)):
        tail = text[pair.close : end]
        if _width(" " * offset + text[at : pair.open + 1]) > limit or _width(lead + tail) > limit:
            continue
        lines = _lines_of_contents(text, pair, lead + unit, limit)
        if lines is not None:
            broken = "\n".join(lead + unit + part for part in lines)
            return text[: pair.open + 1] + "\n" + broken + "\n" + lead + text[pair.close :]
    return None


def _subscript_rank(text: str, pair: Bracket) -> int:
    """2 for a pair of brackets with a subscript behind it, 1 for a subscript, 0 for any other pair."""
    if text[pair.close + 1 : pair.close + 2] == "[":
        return 2
    before = text[max(pair.open - 1, 0)]
    return int(text[pair.open] == "[" and (before in ")]_" or before.isalnum()))


def _lines_of_contents(text: str, pair: Bracket, indent: str, limit: int) -> list[str] | None:
    """The contents of brackets as lines at `indent`: one line if it fits or cannot be split, else one for each element, with a
    comma; None where an element has several lines."""
    body = text[pair.open + 1 : pair.close].strip()
    parts = _elements(text, pair)
    if _width(indent + body) <= limit or len(parts) < 2 or pair.loops or text[pair.open] == "[":
        return [body]
    return None if any("\n" in part for part in parts) else [f"{part}," for part in parts]


def _elements(text: str, pair: Bracket) -> list[str]:
    """The texts between the brackets and commas of a pair, without those that are empty."""
    bounds = (pair.open, *pair.commas, pair.close)
    return [part for a, b in itertools.pairwise(bounds) if (part := text[a + 1 : b].strip())]


def _brackets(text: str) -> list[Bracket] | None:
    """The pairs of brackets of a statement, those in f-strings left out; None where its tokens cannot be read."""
    starts = [0]
    for line in io.StringIO(text, newline="\n"):
        starts.append(starts[-1] + len(line))
    found: list[Bracket] = []
    stack: list[tuple[int, list[int], list[bool]]] = []
    strings = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="\n").readline):
            name = tokenize.tok_name[token.type]
            strings += (name.endswith("STRING_START")) - (name.endswith("STRING_END"))
            if strings:
                continue
            at = starts[token.start[0] - 1] + token.start[1]
            if token.type == tokenize.OP and token.string in _OPENS:
                stack.append((at, [], []))
            elif token.type == tokenize.OP and token.string in _CLOSES:
                if not stack:
                    return None
                start, commas, loops = stack.pop()
                found.append(Bracket(start, at, tuple(commas), bool(loops)))
            elif stack and token.string == "," and token.type == tokenize.OP:
                stack[-1][1].append(at)
            elif stack and token.type == tokenize.NAME and token.string in ("for", "lambda"):
                stack[-1][2].append(True)
            elif token.type == tokenize.COMMENT and stack:
                return None
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return None
    return found if not stack else None


def _compose(after: str, edits: Sequence[TextEdit], later: Sequence[TextEdit]) -> list[TextEdit]:
    """One sorted list of edits equal to `edits`, which made the text `after`, followed by `later`."""
    done: list[tuple[int, int, TextEdit]] = []  # the offset in `after`, and the edit
    shift = 0
    for edit in edits:
        start = edit.start + shift
        done.append((start, start + len(edit.content), edit))
        shift += len(edit.content) - (edit.end - edit.start)
    for a, b, content in reversed(later):
        mine = [n for n, (start, end, _) in enumerate(done) if start <= b and a <= end]
        if not mine:
            before = sum(len(e.content) - (e.end - e.start) for _, end, e in done if end < a)
            done.append((a, b, TextEdit(a - before, b - before, content)))
            done.sort(key=lambda item: item[:2])
            continue
        first, last = done[mine[0]], done[mine[-1]]
        low, high = min(a, first[0]), max(b, last[1])
        text, at = "", low
        for start, end, edit in (done[n] for n in mine):
            text += after[at:start] + edit.content
            at = end
        text += after[at:high]
        new = text[: a - low] + content + text[b - low :]
        whole = TextEdit(first[2].start - (first[0] - low), last[2].end + (high - last[1]), new)
        done[mine[0] : mine[-1] + 1] = [(low, high, whole)]
    return [edit for _, _, edit in done]
