"""How a file lays out its code: the length that its lines keep, and where its brackets close."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from placefix.bracket_pairs import CLOSES, OPENS

if TYPE_CHECKING:
    from placefix.layout import Layout

# Without a configured line length the limit is that of 199 of 200 lines of the file, but at least black's.
BLACK = 88
_PEP8, _MANY = 79, 100
_FEW = 200  # one line in so many may be longer
_TAB = 4  # columns, as black and ruff count them
# Comments about their line, useless on any other.
PRAGMA = re.compile(r"#[ \t]*(?:noqa|type:|pragma|pylint|pyright|mypy|fmt:|placefix:|nosec)", re.IGNORECASE)
_TRAILING = re.compile(r"\s+#[^'\"]*$")
_ENDS_WITH_COMMA = re.compile(r",\s*[)\]}]")  # which black takes for a reason to break


def width(line: str) -> int:
    """The columns of a line."""
    return len(line.rstrip("\r\n").expandtabs(_TAB))


def uncommented(line: str) -> str:
    """A line without the comment behind its code."""
    return _TRAILING.sub("", line)


@lru_cache(maxsize=1)  # each finding of a file asks for the file's
def least_length(text: str) -> int:
    """The length that lines may have at least without a configured one: black's, but that of PEP 8 in a file which keeps that, if it is
    long or breaks a statement for it."""
    lines = text.splitlines()
    if sum(width(line) > _PEP8 for line in lines) > len(lines) // _FEW:
        return BLACK
    return _PEP8 if len(lines) >= _MANY or _breaks_for_pep8(lines) else BLACK


def _breaks_for_pep8(lines: list[str]) -> bool:
    """Whether a statement has two lines or three that black's length would allow as one, and that of PEP 8 does not."""
    for number, line in enumerate(lines[:-1]):
        first = line.rstrip()
        opened = 1 if first.endswith(tuple(OPENS)) else _depth(first) if first.endswith(",") else 0
        if opened <= 0 or first.lstrip().startswith("#"):
            continue
        joined, level = first + " " * first.endswith(","), _depth(first) - opened
        for part in lines[number + 1 : number + 3]:
            joined += part.strip()
            if _depth(joined) <= level:
                break
        if _depth(joined) == level and not _ENDS_WITH_COMMA.search(joined) and _PEP8 < width(joined) <= BLACK:
            return True
    return False


def usual_length(layout: Layout) -> int:
    """The length that 199 of 200 lines of the file keep. Only code counts: no comment, no line inside a string, none that a string makes
    long: formatters leave that one."""
    code = [line for line in _code_lines(layout, long_strings=False) if not line.lstrip().startswith("#")]
    long = sorted(width(uncommented(line)) for line in code if len(line) > BLACK - _TAB)
    usual = long[: len(long) - len(code) // _FEW]
    return usual[-1] if usual else 0


def _code_lines(layout: Layout, *, long_strings: bool) -> list[str]:
    """The lines of a file that are not blank, without those of strings with several lines. long_strings: with those that a string makes
    longer than black's length."""
    strings = {
        row
        for node in ast.walk(layout.tree)
        if isinstance(node, (ast.Constant, ast.JoinedStr))
        and (
            (node.end_lineno or 0) > node.lineno
            or (not long_strings and _is_text(node) and (node.end_col_offset or 0) > BLACK)
        )
        for row in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    lines = enumerate(re.split(r"\r\n|\r|\n", layout.text), 1)
    return [line for row, line in lines if line.strip() and row not in strings]


def _is_text(node: ast.Constant | ast.JoinedStr) -> bool:
    """Whether a literal is a string."""
    return isinstance(node, ast.JoinedStr) or isinstance(node.value, (str, bytes))


def closes_behind_code(layout: Layout) -> bool:
    """Whether brackets that have several lines close behind their last element, as yapf and most people write them; black gives the
    closing bracket a line."""
    behind = apart = 0
    for line in _code_lines(layout, long_strings=True):
        code = line.strip()
        if code[0] == "#" or code[-1] not in ")]},:":
            continue
        if code[0] in CLOSES:
            apart += 1
        elif _depth(code) < 0:
            behind += 1
    return behind > 2 * apart


def _depth(code: str) -> int:
    """How many more brackets open than close in a text; those in strings count as well."""
    return sum(map(code.count, OPENS)) - sum(map(code.count, CLOSES))
