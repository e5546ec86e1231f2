"""Wraps the lines that fixes write to the file's line length, and keeps continuation lines aligned with their bracket.

A statement that a fix makes too long is wrapped as black wraps one: the content of a pair of brackets goes to separate lines, with a comma
at the end if each element has one; a chain of calls has a line for each; a call that has several lines already is broken behind a comma.
In a file whose brackets close behind their last element, those of the new lines do so, too.
A line that was too long before is not changed, nor one that cannot be broken, nor one that only its comment makes too long. The syntax tree
of the statement is compared before and after.
"""

from __future__ import annotations

import ast
import itertools
import re
from typing import TYPE_CHECKING, NamedTuple

from placefix.bracket_pairs import OPENS, Bracket, brackets_of, outermost_of
from placefix.diagnostic import Span
from placefix.layout import Layout, RewriteError, why_protected
from placefix.layout_habits import PRAGMA, closes_behind_code, least_length, uncommented, usual_length, width
from placefix.parsing import parse_quietly
from placefix.recursion import final_recursion_errors
from placefix.source import Source
from placefix.text_edits import TextEdit, splice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# A line that is longer than black's may grow to this length, without a configured one.
_MOST_COLUMNS = 120
_COMMENT = re.compile(r"[ \t]*(?:#[^\r\n]*)?")
_LINE_END = re.compile(r"[\r\n]")
_KEYWORD = re.compile(r"\*\*|\w+\s*=(?!=)")
_METHOD = re.compile(r"\.\w+")
_NAMES = re.compile(r"[\w.]*")
_NEWLINES = re.compile(r"\r\n|\r")
# Limits: the number of breaks in one statement, and the least number of characters that justifies a separate line.
_MOST = 8
_WORTH = 8


class _Style(NamedTuple):
    """How lines are broken: the indentation and the limit of their columns; behind: whether brackets close behind their last element."""

    unit: str
    limit: int
    behind: bool


def fit_lines(layout: Layout, edits: list[TextEdit]) -> list[TextEdit]:
    """The sorted edits of `layout`'s text, with the lines they touch aligned and wrapped."""
    if not edits:
        return edits
    edits = _align_continuations(layout, edits)
    source = layout.source
    after = splice(source.text, edits)
    least = source.limit or least_length(source.text)
    rows = list(_lengthened_lines(layout, edits, after, least))
    if not rows:
        return edits
    limit = source.limit or max(least, usual_length(layout))
    rows = [offset for offset in rows if width(uncommented(_line(after, offset))) > limit]
    later = _wrap_statements(Source(after, source.name), rows, limit) if rows else []
    return _compose(after, edits, later) if later else edits


# --- how long lines are -------------------------------------------------------------------------


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
            if width(line) > limit and width(uncommented(line)) > limit:
                was = _line(text, start)
                if old is None:
                    old = {line.strip() for line in re.split(r"\r\n|\r|\n", text) if width(line) > limit}
                whole = "\n" in content or "\n" in text[start:end]
                kin = line.strip()[:20]
                bare = width(uncommented(line))
                allowed = limit if layout.source.limit or bare <= _MOST_COLUMNS else _MOST_COLUMNS
                stays = line.strip() in old or (
                    any(o.startswith(kin) for o in old) if whole else width(uncommented(was)) > allowed
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
        if all(text.find(bracket, edit.start, end) < 0 for bracket in OPENS):
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
    brackets = brackets_of(old)
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
    style = _Style(layout.unit, limit, closes_behind_code(layout))
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
        if margin.strip() or comment is None or PRAGMA.search(_line(text, end)) or "\\" in text[start:end]:
            continue
        old = _NEWLINES.sub("\n", text[start:end])
        value = getattr(region.nodes[0], "value", None) if len(region.nodes) == 1 else None
        alone = isinstance(value, ast.expr) and isinstance(
            region.nodes[0], (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)
        )
        gives = layout.span(value).start - start if alone and value is not None else None
        bare = isinstance(value, ast.Tuple)
        new = _wrap_statement(old, margin, style, rest.partition("#")[0].rstrip(), gives, bare=bare)
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


def _wrap_statement(text: str, margin: str, style: _Style, rest: str, value: int | None, *, bare: bool) -> str | None:
    """A statement that follows `margin`, with `rest` behind its last line, in lines no longer than the limit; None if that is
    impossible. value: the offset of the value that it binds or returns; bare: whether that is a tuple without parentheses."""

    def too_long(statement: str) -> list[int]:
        """The offsets at which lines begin that are too long."""
        lines = (margin + statement + rest).split("\n")
        starts, at = [], -len(margin)
        for line in lines:
            if width(line) > style.limit:
                starts.append(max(at, 0))
            at += len(line) + 1
        return starts

    for _ in range(_MOST):
        long = too_long(text)
        if not long:
            return text
        gives = value if "\n" not in text else None
        new = _break_chain(text, gives, margin, style) if gives is not None and not style.behind else None
        if new is not None:
            return new
        new = _break_line(text, long[0], margin, style)
        if gives is not None and (new is None or not (style.behind or _holds_all(text, new, gives))):
            new = _put_in_parentheses(text, gives, margin, style, bare=bare) or new
        if new is None:
            return None
        text = new
    return None


def _put_in_parentheses(text: str, value: int, margin: str, style: _Style, *, bare: bool) -> str | None:
    """The statement with its value in parentheses, on a separate line; None if it has some, or is too long for one line."""
    inner = margin + style.unit + text[value:]
    if text[value] in OPENS or not (bare or width(inner) + style.behind <= style.limit):
        return None
    return f"{text[:value]}(\n{inner})" if style.behind else f"{text[:value]}(\n{inner}\n{margin})"


def _break_chain(text: str, value: int, margin: str, style: _Style) -> str | None:
    """The statement with its value in parentheses, and a line for each call of a chain ``f(x).view(1, -1).repeat(n, 1)`` if one line
    is too short; None where the value is no chain of two calls on results, or still too long."""
    links, at = [], value
    for pair in sorted(brackets_of(text) or [], key=lambda bracket: bracket.open):
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
        lines = [f"{margin}{style.unit}{part}" for part in parts]
        if all(width(line) <= style.limit for line in lines):
            return "\n".join([f"{text[:value]}(", *lines, f"{margin})"])
    return None


def _holds_all(text: str, new: str, value: int) -> bool:
    """Whether the pair of brackets that `new` breaks holds several elements and most of the value, or ends it."""
    at = next((n for n, (a, b) in enumerate(zip(text, new, strict=False)) if a != b), len(text))
    pairs = brackets_of(text) or []
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


def _break_line(text: str, at: int, margin: str, style: _Style) -> str | None:
    """The statement with the line that begins at `at` broken in one place."""
    brackets = brackets_of(text)
    if brackets is None:
        return None
    code = _line(text, at)
    lead = margin if at == 0 else code[: len(code) - len(code.lstrip())]
    line = _LongLine(at, at + len(code), lead, len(margin) if at == 0 else 0)
    broken = _break_at_commas(text, line, brackets, style) or _break_behind_comma(text, line, brackets, style)
    return broken if broken is not None else _break_inside_brackets(text, line, brackets, style)


def _break_at_commas(text: str, line: _LongLine, brackets: Sequence[Bracket], style: _Style) -> str | None:
    """The statement with each element of a pair of brackets on a separate line, if the line has all of them and nothing else; else None."""
    for pair in brackets:
        end = min(pair.close, line.end)
        body = text[pair.open + 1 : pair.close]
        whole = line.start > pair.open and body.strip() == text[line.start : end].strip()
        if not whole or not pair.commas or pair.loops or text[pair.open] == "[" or "\n" not in body:
            continue
        parts = _elements(text, pair)
        if end == line.end:
            lines = "\n".join(f"{line.lead}{part}," for part in parts)
            return f"{text[: line.start]}{lines}{text[end:]}"
        if style.behind and any(map(_KEYWORD.match, parts)):
            lines = ",\n".join(f"{line.lead}{part}" for part in parts)
            return f"{text[: line.start]}{lines}{text[pair.close :]}"
    return None


def _break_behind_comma(text: str, line: _LongLine, brackets: Sequence[Bracket], style: _Style) -> str | None:
    """The statement with the line broken behind a comma of brackets that have several lines, under their first element; None
    where that makes no line short enough."""
    at, end, lead, offset = line
    unit, limit, _ = style
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


def _break_inside_brackets(text: str, line: _LongLine, brackets: Sequence[Bracket], style: _Style) -> str | None:
    """The statement with the contents of the pair of brackets that holds most on separate lines, rather not of a subscript or of a call
    with one behind it; None without such a pair."""
    at, end, lead, offset = line
    within = [b for b in brackets if at <= b.open and b.close < end]
    outermost = outermost_of([b for b in within if b.close - b.open > _WORTH])
    best = sorted(outermost, key=lambda b: (_subscript_rank(text, b), b.open - b.close))
    if style.behind:
        best = [*_links(text, within), *best]
    around_closes = any(b.open < at <= b.close < end for b in brackets)
    for behind in (True, False) if style.behind or around_closes else (False,):
        for pair in best:
            tail = text[pair.close : end]
            if width(" " * offset + text[at : pair.open + 1]) > style.limit:
                continue
            lines = _lines_of_contents(text, pair, lead + style.unit, style.limit, tail if behind else "")
            if lines is None:
                continue
            broken = "\n".join(lead + style.unit + part for part in lines)
            last = lead + style.unit + lines[-1] if behind else lead
            if width(last + tail) <= style.limit:
                between = "" if behind else f"\n{lead}"
                return f"{text[: pair.open + 1]}\n{broken}{between}{text[pair.close :]}"
    return None


def _links(text: str, within: Sequence[Bracket]) -> list[Bracket]:
    """The arguments of the calls of a chain ``f(x).view(-1, 1)``, the last ones first, as yapf breaks one; none of anything else."""
    pairs = sorted(outermost_of(within), key=lambda b: b.open)
    chained = all(_METHOD.fullmatch(text, a.close + 1, b.open) for a, b in itertools.pairwise(pairs))
    return [b for b in reversed(pairs) if b.close > b.open + 1] if chained and len(pairs) > 1 else []


def _subscript_rank(text: str, pair: Bracket) -> int:
    """2 for a pair of brackets with a subscript behind it, 1 for a subscript, 0 for any other pair."""
    if text[pair.close + 1 : pair.close + 2] == "[":
        return 2
    before = text[max(pair.open - 1, 0)]
    return int(text[pair.open] == "[" and (before in ")]_" or before.isalnum()))


def _lines_of_contents(text: str, pair: Bracket, indent: str, limit: int, behind: str) -> list[str] | None:
    """The contents of brackets as lines at `indent`, with `behind` after the last: one line if it fits or cannot be split, else one for
    each element, with a comma; None where an element has several lines."""
    body = text[pair.open + 1 : pair.close].strip()
    parts = _elements(text, pair)
    if width(indent + body + behind) <= limit or len(parts) < 2 or pair.loops or text[pair.open] == "[":
        return [body]
    if any("\n" in part for part in parts):
        return None
    lines = [f"{part}," for part in parts]
    return [*lines[:-1], parts[-1]] if behind else lines


def _elements(text: str, pair: Bracket) -> list[str]:
    """The texts between the brackets and commas of a pair, without those that are empty."""
    bounds = (pair.open, *pair.commas, pair.close)
    return [part for a, b in itertools.pairwise(bounds) if (part := text[a + 1 : b].strip())]


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
