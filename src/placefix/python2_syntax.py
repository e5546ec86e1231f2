"""Python 2 syntax in tokens: the constructs that keep a text from being parsed as Python 3.

`tokenize` gives up on some Python 2 (backticks, octal numbers), so the tokens are read here: strings,
comments, names, numbers and single characters, with their offsets into the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    r"(?P<string>[bBuUrRfF]{0,3}(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\""
    r"|'(?:\\(?:\r\n|.)|[^\\'\r\n])*'|\"(?:\\(?:\r\n|.)|[^\\\"\r\n])*\"))"
    r"|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<line>\r\n|\r|\n)"
    r"|(?P<space>[ \t\f\ufeff]+|\\(?:\r\n|\r|\n)|\#[^\r\n]*)|(?P<mark>>>|<>|==|.)",
    re.DOTALL,
)
# Methods of tensors whose argument torch 0.4 renamed from `async` to `non_blocking`.
_ASYNC_METHODS = frozenset({"cuda", "to", "copy_", "type"})
# They may follow the name `print` in an expression of Python 3.
_OPERATORS = frozenset({"and", "or", "in", "is", "not", "if", "else", "for"})
_OCTAL = re.compile(r"0[0-9]*[1-9][0-9]*$")
_LONG = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)[lL]$")


class Token(NamedTuple):
    """A token that is neither white space nor a comment.

    kind: string, name, number, line (the end of a logical line) or mark; depth: how many brackets are
    open around it.
    """

    kind: str
    text: str
    start: int
    depth: int

    @property
    def span(self) -> Span:
        """The range of the token in the text."""
        return Span(self.start, self.start + len(self.text))


class Python2Construct(NamedTuple):
    """A construct that is not Python 3: its name, for a message, and its offset."""

    what: str
    start: int


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text that need not be Python 3; nothing is raised."""
    depth = 0
    for found in _TOKEN.finditer(text):
        kind, word = found.lastgroup or "", found[0]
        if kind == "space" or (kind == "line" and depth):
            continue
        if word in (")", "]", "}") and depth:
            depth -= 1
        yield Token(kind, word, found.start(), depth)
        if word in ("(", "[", "{"):
            depth += 1


def async_arguments(text: str) -> list[Span]:
    """The words `async` that are keyword arguments of a tensor's method: ``x.cuda(async=True)``."""
    return [token.span for token, method in _async_names(text) if method in _ASYNC_METHODS]


def _async_names(text: str) -> Iterator[tuple[Token, str]]:
    """The tokens `async` that are used as a name, each with the name of the called method (empty for anything else)."""
    opened: list[str] = []
    seen = [Token("line", "\n", 0, 0)] * 3
    for token in (*tokens(text), Token("line", "\n", len(text), 0)):
        _, before, last = seen
        if last.text == "async" and last.kind == "name" and token.text == "=" and before.text in ("(", ","):
            yield last, opened[-1] if opened else ""
        if token.text in ("(", "[", "{"):
            called = token.text == "(" and last.kind == "name" and before.text == "."
            opened.append(last.text if called else "")
        elif token.text in (")", "]", "}") and opened:
            opened.pop()
        seen = [before, last, token]


def find_python2_syntax(text: str) -> Python2Construct | None:
    """The first construct of Python 2 in a text, else an `async` that is no keyword; None without one."""
    line: list[Token] = []
    for token in tokens(text):
        what, start = _python2_token(token), token.start
        if not what and (token.kind == "line" or (token.text in (";", ":") and not token.depth)):
            what, start = _python2_statement(line), line[0].start if line else start
            line = []
        elif not what:
            line.append(token)
        if what:
            return Python2Construct(f"Python 2 ({what})", start)
    word = next((token for token, _ in _async_names(text)), None)
    return Python2Construct("`async` is a keyword since Python 3.7", word.start) if word is not None else None


def _python2_token(token: Token) -> str:
    """The Python 2 construct that a single token is; "" for none."""
    if token.kind == "mark":
        return {"`": "backticks", "<>": "the operator <>"}.get(token.text, "")
    if token.kind == "number":
        return "an octal number" if _OCTAL.match(token.text) else "a long number" if _LONG.match(token.text) else ""
    return "a ur string" if token.kind == "string" and token.text[:2].lower() == "ur" else ""


def _python2_statement(line: list[Token]) -> str:
    """The Python 2 construct in the tokens of a simple statement, or of a clause up to its colon; "" for none."""
    if len(line) < 2 or line[0].kind != "name":
        return ""
    first, second = line[0].text, line[1]
    plain = second.kind in ("string", "number") or (second.kind == "name" and second.text not in _OPERATORS)
    if first in ("print", "exec") and (plain or (first == "print" and second.text == ">>")):
        return f"{'a' if first == 'print' else 'an'} {first} statement"
    commas = [n for n, t in enumerate(line) if t.text == "," and t.depth == line[0].depth]
    if first == "raise" and commas:
        return "raise with a comma"
    if first == "except" and len(commas) == 1 and line[-1].kind == "name" and commas[0] == len(line) - 2:
        return "" if line[-1].text[:1].isupper() else "except with a comma"
    return ""
