"""IPython syntax in a cell: magics, shell lines, questions; each is replaced by a statement that the analysis can read.

IPython syntax is looked for only in lines that Python cannot read: a line that starts with `%` may continue the expression above.
Each IPython line is replaced by a statement with its known effect: none for `%matplotlib` or `!ls`; otherwise a call of an unknown
function that gets the names in the line and binds the names that the line binds.
"""

from __future__ import annotations

import keyword
import re
import textwrap
from typing import TYPE_CHECKING, NamedTuple

from placefix.parsing import parse_quietly
from placefix.recursion import retry_deeper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# A line that may be IPython syntax, with the lines that continue it (after a backslash).
_OWN = re.compile(
    r"[ \t]*(?:%[%A-Za-z]|!|\?|%{0,2}[\w.\[\]-]+\?\??[ \t]*$|[\w.,\[\]'\" \t()]+=[ \t]*(?:%[A-Za-z]|!)"
    r"|(?:pip|conda|cd|ls|pwd|cat|mkdir|cp|mv|rm|matplotlib)\b(?![ \t]*[=.(,)]))"
)
_CELL_MAGIC = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))*%%([\w!.-]+)[^\r\n]*")
_LINE_MAGIC = re.compile(r"[ \t]*%([A-Za-z_]\w*)")
_SHELL = re.compile(r"[ \t]*(?:!|\?|%{0,2}[\w.\[\]-]+\?|(?:pip|conda|cd|ls|pwd|cat|mkdir|cp|mv|rm|matplotlib)\b)")
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_BOUND = re.compile(
    r"(?<![\w.])([^\W\d]\w*)(?=[ \t]*(?:,[ \t]*[^\W\d]\w*[ \t]*)*=(?!=))|\b(?:def|class|for)[ \t]+([^\W\d]\w*)"
)

# Databricks: line magics that apply to the whole cell if the rest of it is not Python.
_WHOLE = re.compile(r"\s*%(?:fs|md|r|scala|sh|sql)\b")

# Cell magics that run the rest of the cell as Python in the notebook's names, and those that run something else.
_AS_PYTHON = frozenset({"capture", "debug", "prun", "snakeviz", "time", "wandb"})
_FOREIGN = frozenset(
    {
        "!", "bash", "bigquery", "cmd", "cython", "file", "html", "javascript", "js", "latex", "markdown", "perl", "R",
        "ruby", "script", "sh", "sql", "svg", "system", "writefile",
    }
)  # fmt: skip
# Line magics that neither run Python nor bind names, and those after which any name may be another.
_QUIET = frozenset(
    {
        "autoreload", "cat", "cd", "colors", "conda", "config", "cp", "env", "history", "load", "load_ext", "ls", "lsmagic", "mamba",
        "matplotlib", "mkdir", "mv", "nbdev_export", "pdoc", "pfile", "pinfo", "pip", "precision", "psource", "pwd", "pylab",
        "reload_ext", "rm", "set_env", "store", "sx", "system", "tensorboard", "unload_ext", "uv", "who", "whos", "writefile", "xmode",
    }
)  # fmt: skip
_ANYTHING = frozenset({"reset", "run"})


class ReplacedLines(NamedTuple):
    """IPython lines and the Python that replaces them, both without the last newline. head: it must stay the first line of the cell."""

    shown: str
    original: str
    head: bool = False


class CellProgram(NamedTuple):
    """A cell as Python. hidden: in order. whole: nothing of the cell is analysed.

    broken: the cell as it was tried, where IPython could not run it; empty otherwise.
    """

    text: str
    hidden: tuple[ReplacedLines, ...] = ()
    whole: bool = False
    broken: str = ""


def translate_cell(text: str, mark: Callable[[], str], *, earlier: str, legacy: bool) -> CellProgram:
    """The cell `text` as Python.

    mark: gives a new string, made of word characters, at each call. earlier: the cells above. legacy: `async=` is mended later, and no obstacle.
    """
    if _is_python(text, legacy):
        return CellProgram(text)
    hidden: list[ReplacedLines] = []
    lines: list[str] = _LINES.findall(text)
    first = 0
    while found := _CELL_MAGIC.match("".join(lines[first:])):
        if found[1] not in _AS_PYTHON:
            return _opaque_statement(text, mark(), quiet=found[1] in _FOREIGN)
        until = first + len(_LINES.findall(found[0]))
        hidden.append(_replace(lines, first, until, lambda original: _comment_lines(original, mark), head=True))
        first = until
    while (failure := _failing_row("".join(lines), legacy)) is not None:
        at = _find_ipython_line(lines, first, failure)
        if at is None:
            tried = "".join(lines)
            foreign = _WHOLE.match(text) is not None
            fine = foreign or _is_python(textwrap.dedent(text), legacy)
            return _opaque_statement(text, mark(), quiet=foreign)._replace(broken="" if fine else tried)
        until = at + 1
        while until < len(lines) and lines[until - 1].rstrip("\r\n").endswith("\\"):
            until += 1
        if any(
            item.shown in "".join(lines[at:until]) for item in hidden
        ):  # a line that goes on into one that is hidden
            return _opaque_statement(text, mark(), quiet=False)._replace(broken=text)
        above = "".join([earlier, *lines[:at]])
        hidden.append(_replace(lines, at, until, lambda original, above=above: _statement(original, mark(), above)))  # type: ignore[misc]
    result = "".join(lines)
    return CellProgram(result, tuple(sorted(hidden, key=lambda item: result.index(item.shown))))


def _is_python(text: str, legacy: bool) -> bool:
    return _failing_row(text, legacy) is None


def _failing_row(text: str, legacy: bool) -> int | None:
    """The row at which Python gives up on the text, 1-based; None if it is Python."""
    try:
        retry_deeper(lambda: parse_quietly(text))
    except SyntaxError as error:
        if legacy and "async" in text:
            mended = re.sub(r"\basync(?=\s*=(?!=))", "async_", text)
            return _failing_row(mended, legacy=False)
        return error.lineno or 1
    except (ValueError, RecursionError, MemoryError):
        return 1
    return None


def _find_ipython_line(lines: list[str], first: int, row: int) -> int | None:
    """The line of IPython's that keeps Python from reading on: the one where it gave up, or the last one above."""
    for at in range(min(row, len(lines)) - 1, first - 1, -1):
        if _OWN.match(lines[at].rstrip("\r\n")):
            return at
    return None


def _replace(
    lines: list[str], start: int, end: int, write: Callable[[str], str], *, head: bool = False
) -> ReplacedLines:
    """Put something of as many lines in the place of lines of IPython's."""
    original, newline = _split_last_newline("".join(lines[start:end]))
    shown = write(original)
    lines[start:end] = _LINES.findall(shown + newline)
    return ReplacedLines(shown, original, head)


def _split_last_newline(text: str) -> tuple[str, str]:
    """The text without its last newline, and that."""
    newline = next((ending for ending in ("\r\n", "\n", "\r") if text.endswith(ending)), "")
    return text[: len(text) - len(newline)], newline


def _comment_lines(original: str, mark: Callable[[], str]) -> str:
    """Comments that belong to their place, one for each line."""
    return "\n".join(f"# %% {mark()}" for _ in _LINES.findall(original))


def _statement(original: str, mark: str, above: str) -> str:
    """A statement with the same number of lines; `above` is the text of the cell before it."""
    indent = original[: len(original) - len(original.lstrip(" \t"))]
    more = "\n" * (len(_LINES.findall(original)) - 1)
    magic = _LINE_MAGIC.match(original)
    if magic and magic[1] in _ANYTHING:
        bound = _bound_names(above)
        return f'{indent}{"".join(f"{name} = " for name in bound)}get_ipython("{mark}"{more})'
    if (magic and magic[1] in _QUIET) or (magic is None and _SHELL.match(original)):
        return f'{indent}("{mark}"{more})'
    return indent + _call(original, mark, more)


def _opaque_statement(text: str, mark: str, *, quiet: bool) -> CellProgram:
    """One statement for a whole cell."""
    original, newline = _split_last_newline(text)
    shown = f'("{mark}")' if quiet else _call(text, mark)
    return CellProgram(shown + newline, (ReplacedLines(shown, original),), whole=True)


def _call(text: str, mark: str, more: str = "") -> str:
    """A call of an unknown function that gets the names in `text` and is assigned to the names that `text` binds."""
    names = dict.fromkeys(name for name in _NAME.findall(text) if _is_name(name))
    targets = "".join(f"{name} = " for name in _bound_names(text))
    return f"{targets}get_ipython({', '.join([f'{chr(34)}{mark}{chr(34)}', *names])}{more})"


def _bound_names(text: str) -> list[str]:
    """Names that the text binds, more or less."""
    return list(dict.fromkeys(name for found in _BOUND.finditer(text) if _is_name(name := found[1] or found[2])))


def _is_name(word: str) -> bool:
    return word.isidentifier() and not keyword.iskeyword(word)


def locate_replaced(hidden: tuple[ReplacedLines, ...], text: str) -> Iterator[tuple[int, ReplacedLines]]:
    """The offsets of the replacements in a cell's text, in order. Raises LookupError unless each occurs exactly once, unchanged."""
    at = 0
    for item in hidden:
        at = text.find(item.shown, at)
        if at < 0 or text.count(item.shown) != 1:
            raise LookupError(item.original)
        yield at, item
        at += len(item.shown)
