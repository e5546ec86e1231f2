"""The pairs of brackets in the text of a statement."""

from __future__ import annotations

import io
import tokenize
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

OPENS, CLOSES = "([{", ")]}"


class Bracket(NamedTuple):
    """A pair of brackets in a text: offsets of both, the commas directly inside, and whether it holds a comprehension."""

    open: int
    close: int
    commas: tuple[int, ...]
    loops: bool


def brackets_of(text: str) -> list[Bracket] | None:
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
            if token.type == tokenize.OP and token.string in OPENS:
                stack.append((at, [], []))
            elif token.type == tokenize.OP and token.string in CLOSES:
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


def outermost_of(pairs: Sequence[Bracket]) -> list[Bracket]:
    """The pairs that are in no other one."""
    return [b for b in pairs if not any(o.open < b.open and b.close < o.close for o in pairs)]
