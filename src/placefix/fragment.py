"""Pasted code that Python cannot parse unchanged: indented as a whole, with prompts, with `...` for lines left out, or a method alone.

The program is the text without these, line for line, so that rows stay the same. Lines that are no code, such as the output between
prompts, become comments that no edit may touch. `PastedLines` gives the text back, with the edits in it.
"""

from __future__ import annotations

import ast
import difflib
import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Span
from placefix.engine import ParseError, parse
from placefix.source import Location, Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
# The first line of a statement, a line that continues one, and the output of a session of IPython.
_PRIMARY = re.compile(r"[ \t]*(?:>>>(?:[ \t]|(?=[\r\n]|$))|In ?\[[\d ]*\]:[ \t]?)")
_SECONDARY = re.compile(r"[ \t]*(?:\.\.\.:?(?:[ \t]|(?=[\r\n]|$)))")
_LEFT_OUT = re.compile(r"[ \t]*(?:\.\.\.|…)")
_CLASS = "_Fragment"
_HEADER = f"class {_CLASS}(nn.Module):\n"


class _Line(NamedTuple):
    """A line of the program. prefix: what stood before it; original: the line in the text where it is no code, "" for none."""

    text: str
    prefix: str = ""
    original: str | None = None

    @property
    def restored(self) -> str:
        """The line as it was pasted."""
        return self.prefix + self.text if self.original is None else self.original


class PastedLines:
    """The lines of a program that pasted text was read as. margin: the indentation of all; prompts: those of a first and a further
    line, if it has any."""

    def __init__(self, lines: Sequence[_Line], margin: str = "", prompts: tuple[str, str] | None = None) -> None:
        self.lines = tuple(lines)
        self.margin = margin
        self.prompts = prompts

    @cached_property
    def text(self) -> str:
        """The program."""
        return "".join(line.text for line in self.lines)

    @cached_property
    def fixed(self) -> list[Span]:
        """Where the lines of the program are that are no code of the text. Nothing is written above the first line of a class."""
        found: list[Span] = []
        at = 0
        for number, line in enumerate(self.lines):
            if line.original is not None:
                found.append(Span(at - (number == 0), at + len(line.text)))
            at += len(line.text)
        return found

    @property
    def header(self) -> int:
        """How many lines of the program are no lines of the text."""
        return sum(line.original == "" for line in self.lines[:1])

    def edited(self, text: str) -> PastedLines:
        """The lines of the program after edits. Raises SourceError where a line that is no code is not where it was."""
        new = _split(text)
        matcher = difflib.SequenceMatcher(None, [line.text for line in self.lines], new, autojunk=False)
        first = self._first_lines(text) if self.prompts is not None else frozenset()
        lines: list[_Line] = []
        for tag, start, end, there, until in matcher.get_opcodes():
            if tag == "equal":
                lines += self.lines[start:end]
                continue
            if any(line.original is not None for line in self.lines[start:end]):
                raise SourceError("a line that is no code is not where it was")
            old = self.lines[start:end]
            if len(old) == until - there:
                prefixes = [line.prefix for line in old]
            else:
                above = self.lines[start - 1].prefix if start else ""
                prefixes = self._prefixes(new, range(there, until), [line.prefix for line in old], above, first)
            texts = new[there:until]
            lines += (_Line(text, prefix if text.strip() else prefix.rstrip()) for text, prefix in zip(texts, prefixes))
        return PastedLines(lines, self.margin, self.prompts)

    def restored(self) -> str:
        """The text as it was pasted."""
        return "".join(line.restored for line in self.lines)

    def _prefixes(
        self, new: Sequence[str], numbers: Iterable[int], old: Sequence[str], above: str, first: frozenset[int]
    ) -> list[str]:
        """What goes before new lines, by their numbers. old: what stood before the lines in their place; above: before the line above."""
        if self.prompts is None:
            return [self.margin if new[number].strip() else "" for number in numbers]
        primary, further = self.prompts
        if ">>>" in primary:
            return [primary if number in first or not new[number].strip() else further for number in numbers]
        # the statements of one cell of IPython have one first prompt
        begins = next((prefix for prefix in old if _PRIMARY.match(prefix)), "" if above.strip() else primary)
        return [begins if begins and at == 0 else further for at, _ in enumerate(numbers)]

    @staticmethod
    def _first_lines(text: str) -> frozenset[int]:
        """The lines at which a statement of the module level begins, counted from 0."""
        try:
            tree = parse(Source(text))
        except ParseError:
            return frozenset()
        return frozenset(min([s.lineno, *(d.lineno for d in getattr(s, "decorator_list", ()))]) - 1 for s in tree.body)


class Fragment(Source):
    """Pasted text as a program; `encode` gives the text back."""

    is_verbatim = False

    def __init__(self, pasted: PastedLines, name: str, encoding: str, bom: bytes) -> None:
        super().__init__(pasted.text, name, encoding, bom)
        self._pasted = pasted
        self.unseen_class = _CLASS if pasted.header else ""

    @classmethod
    def of(cls, source: Source) -> Fragment:
        """The fragment that a text is. Raises ParseError, with the reason, where it is none either."""
        try:
            parse(source)
        except ParseError as error:
            pasted = read(source.text)
            if isinstance(pasted, str):
                raise ParseError(f"{error}; nor as pasted code: {pasted}", error.place) from None
        else:
            pasted = PastedLines([_Line(line) for line in _split(source.text)])
        return cls(pasted, source.name, source.encoding, source.bom)

    def with_text(self, text: str) -> Fragment:
        """The fragment after edits of its program."""
        after = Fragment(self._pasted.edited(text), self.name, self.encoding, self.bom)
        after.limit = self.limit
        return after

    def encode(self, text: str) -> bytes:
        """The bytes of the pasted text, with the edits that made `text` of its program. Raises SourceError."""
        return super().encode(self._restored(text))

    def location(self, offset: int) -> Location:
        """1-based row and column (code points) in the pasted text."""
        row, column = super().location(offset)
        return Location(
            row - self._pasted.header, column + len(self._pasted.lines[row - 1].prefix) if self.text else column
        )

    def file_row(self, offset: int) -> int:
        """The line of the pasted text (1-based)."""
        return super().file_row(offset) - self._pasted.header

    def row_name(self, lineno: int, word: str = "line") -> str:
        """The name of a line of the pasted text in messages; lineno: 1-based, in the program."""
        return super().row_name(lineno - self._pasted.header, word)

    def shown_line(self, lineno: int) -> str:
        """The pasted line of a line of the program (1-based)."""
        return self._pasted.lines[lineno - 1].restored

    def located_edits(self, edits: Iterable[tuple[int, int, str]]) -> list[tuple[Location, Location, str]]:
        """The edits as replacements of whole lines of the pasted text."""
        after, at = "", 0
        for start, end, content in edits:
            after, at = f"{after}{self.text[at:start]}{content}", end
        old, new = _split(self._pasted.restored()), _split(self._restored(after + self.text[at:]))
        changed = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        return [
            (Location(start + 1, 1), Location(end + 1, 1), "".join(new[there:until]))
            for tag, start, end, there, until in changed
            if tag != "equal"
        ]

    def pieces(self, text: str) -> list[tuple[str, str]]:
        """The pasted text after edits, one piece without a name."""
        return [("", self._restored(text))]

    def keeps(self, start: int, end: int) -> bool:
        """Whether an edit of [start, end) would touch a line that is no code."""
        return any(
            (fixed.start < end and start < fixed.end) if start < end else fixed.start < start < fixed.end
            for fixed in self._fixed
        )

    def _restored(self, text: str) -> str:
        return (self._pasted if text == self.text else self._pasted.edited(text)).restored()

    @cached_property
    def _fixed(self) -> list[Span]:
        return self._pasted.fixed


def read(text: str, mark: str = "pasted", *, in_class: bool = True) -> PastedLines | str:
    """The program that pasted text is; the reason, in one line, if it is none. mark: begins the comments that replace lines without code.
    in_class: whether indented methods are read as those of a class that is not in the text."""
    lines, prompts = _without_prompts(_split(text), mark)
    undone = ["prompts"] if prompts is not None else []
    lines, margin = _without_margin(lines)
    undone += ["indentation"] if margin else []
    problem = _problem(lines)
    if problem:
        shorter = _without_ellipses(lines, mark)
        undone += ["`...`"] if shorter != lines else []
        lines, problem = shorter, _problem(shorter) if shorter != lines else problem
    if problem:
        return (
            f"without its {' and '.join(undone)}, {problem}"
            if undone
            else "it has no prompts and no common indentation"
        )
    if in_class and margin and prompts is None and _is_forward(lines):
        kept = [_Line(line.prefix + line.text) if line.original is None else line for line in lines]
        return PastedLines([_Line(_HEADER, "", ""), *kept], margin)
    return PastedLines(lines, margin, prompts)


def _split(text: str) -> list[str]:
    return _LINES.findall(text)


def _problem(lines: Iterable[_Line]) -> str:
    """Why lines are no program, "" if they are one."""
    try:
        parse(Source("".join(line.text for line in lines)))
    except ParseError as error:
        return str(error)
    return ""


def _comment(original: str, mark: str, number: int) -> _Line:
    """A comment in the place of a line that is no code; comments of this form keep their places."""
    body = original.rstrip("\r\n")
    return _Line(f"# %% {mark}_{number}{original[len(body) :]}", "", original)


def _without_prompts(lines: Sequence[str], mark: str) -> tuple[list[_Line], tuple[str, str] | None]:
    """The lines without prompts, and these."""
    found = next((match[0] for line in lines if (match := _PRIMARY.match(line))), None)
    if found is None:
        return [_Line(line) for line in lines], None
    classic = ">>>" in found
    further = (
        found.replace(">>>", "...")
        if classic
        else next((m[0] for line in lines if ":" in (m := _SECONDARY.match(line) or [""])[0]), "")
    )
    result: list[_Line] = []
    inside = False
    for number, line in enumerate(lines):
        match = _PRIMARY.match(line) or (_SECONDARY.match(line) if inside else None)
        if match is not None:
            result.append(_Line(line[match.end() :], match[0]))
        elif line.strip():
            result.append(_comment(line, mark, number))
        else:
            result.append(_Line(line))
        inside = match is not None
    return result, (f"{found.rstrip()} ", f"{further.rstrip()} " if further.strip() else found)


def _without_margin(lines: Sequence[_Line]) -> tuple[list[_Line], str]:
    """The lines without the indentation that all of them have, comments apart; and that."""
    said = (line.text for line in lines if line.original is None and not _LEFT_OUT.match(line.text))
    code = [text for text in said if text.strip() and not text.lstrip().startswith("#")]
    margin = _indentation(code[0]) if code else ""
    for text in code:
        while not text.startswith(margin):
            margin = margin[:-1]
    cut = [
        _Line(line.text[len(margin) :], line.prefix + margin)
        if margin and line.original is None and line.text.startswith(margin)
        else line
        for line in lines
    ]
    return cut, margin


def _indentation(text: str) -> str:
    return text[: len(text) - len(text.lstrip(" \t"))]


def _without_ellipses(lines: Sequence[_Line], mark: str) -> list[_Line]:
    """The lines; those that mark omitted code become comments: `...` before a deeper line, and `...` before words."""
    result = list(lines)
    for number, line in enumerate(lines):
        if line.original is not None or not _LEFT_OUT.match(line.text):
            continue
        below = next((other.text for other in lines[number + 1 :] if other.original is None and other.text.strip()), "")
        alone = line.text.strip() in ("...", "…")
        if len(_indentation(below)) > len(_indentation(line.text)) or not (alone and "." in line.text):
            result[number] = _comment(line.restored, mark, number)
    return result


def _is_forward(lines: Iterable[_Line]) -> bool:
    """Whether a program is methods alone, the `forward` of a module among them."""
    body = parse(Source("".join(line.text for line in lines))).body
    methods = [s for s in body if isinstance(s, ast.FunctionDef) and s.args.args and s.args.args[0].arg == "self"]
    return len(methods) == len(body) and any(s.name == "forward" for s in methods)
