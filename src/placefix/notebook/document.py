"""The JSON text of a notebook: the positions of the sources of its code cells, and new sources in their place.

The JSON is never generated: a new source is spliced into the text line by line, and every other byte stays the same.
"""

from __future__ import annotations

import json
import re
from difflib import SequenceMatcher
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from placefix.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
# One character of a JSON string: a pair of surrogates, an escape, itself.
_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)
_NEWLINE = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class JsonValue(NamedTuple):
    """A decoded value with its range [start, end) in the JSON text, in code points."""

    value: Any
    start: int
    end: int


class CodeCell(NamedTuple):
    """A code cell. number: its place among all cells, 1-based. start, end: its source's value in the JSON text.
    run: its execution count. raised: it is marked as one that raises, or ended in an error the last time."""

    number: int
    text: str
    start: int
    end: int
    run: int | None
    raised: bool


class NotebookFile:
    """A notebook of format 4. raw: its JSON text; cells: the code cells, in order; python: whether Python runs them."""

    def __init__(self, raw: str) -> None:
        """Raises SourceError where the text is no notebook of format 4."""
        self.raw = raw
        try:
            top, end = _object(raw, 0)
            if _skip_space(raw, end) != len(raw):
                raise json.JSONDecodeError("text after the end of the notebook", raw, _skip_space(raw, end))
        except (ValueError, RecursionError) as error:
            raise SourceError(f"not a notebook: {_parse_error(error)}") from None
        version = top["nbformat"].value if "nbformat" in top else None
        if isinstance(version, int) and version < 4:
            raise SourceError(
                f"notebook format {version} is not supported (`jupyter nbconvert --to notebook` makes it 4)"
            )
        if version != 4 or not isinstance(top["cells"].value if "cells" in top else None, list):
            raise SourceError("not a notebook of format 4")
        metadata = top["metadata"].value if "metadata" in top else None
        self.python = _language(metadata if isinstance(metadata, dict) else {}) in ("", "python", "ipython")
        self.cells = tuple(_code_cells(raw, top["cells"].start))

    @cached_property
    def in_order(self) -> bool:
        """Whether the execution counts are consistent with a run of the cells in their order."""
        runs = [cell.run for cell in self.cells if cell.run is not None]
        return runs == sorted(set(runs))

    @cached_property
    def shows_errors(self) -> frozenset[int]:
        """The cells, by number, whose error may be there to be seen: others were run after it."""
        last = max((cell.run for cell in self.cells if cell.run is not None), default=0)
        return frozenset(cell.number for cell in self.cells if cell.raised and (cell.run is None or cell.run < last))

    def row(self, number: int, row: int) -> int:
        """The line of the JSON text, 1-based, where a row of a cell's source starts."""
        cell = next(cell for cell in self.cells if cell.number == number)
        at, above = cell.start, 1
        for found in _STRING.finditer(self.raw, cell.start, cell.end):
            if above > row:
                break
            at = found.start()
            above += len(_NEWLINE.findall(json.loads(found[0])))
        return self.raw.count("\n", 0, at) + 1

    def replaced(self, texts: Mapping[int, str]) -> str:
        """The JSON text with new sources for cells, by their number."""
        parts: list[str] = []
        at = 0
        for cell in self.cells:
            text = texts.get(cell.number, cell.text)
            if text != cell.text:
                value = self.raw[cell.start : cell.end]
                parts += self.raw[at : cell.start], _encode_source(value, text, ascii_only=self.raw.isascii())
                at = cell.end
        return "".join([*parts, self.raw[at:]])


def _language(metadata: Mapping[str, Any]) -> str:
    """The language of the cells in lower case, empty if the notebook has none."""
    for holder, key in (("language_info", "name"), ("kernelspec", "language")):
        found = metadata.get(holder)
        name = found.get(key) if isinstance(found, dict) else None
        if isinstance(name, str):
            return name.lower()
    return ""


def _parse_error(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}: {error.msg}"
    return str(error) if type(error) is ValueError else type(error).__name__


# --- JSON, read with positions ---------------------------------------------------------------


def _skip_space(raw: str, at: int) -> int:
    found = _SPACE.match(raw, at)
    assert found is not None
    return found.end()


def _value(raw: str, at: int) -> JsonValue:
    value, end = json.JSONDecoder().raw_decode(raw, at)
    return JsonValue(value, at, end)


def _object(raw: str, at: int) -> tuple[dict[str, JsonValue], int]:
    """The members of the JSON object at `at`, and the offset behind it. Raises ValueError, also for a key that occurs twice."""
    at = _skip_space(raw, at)
    if raw[at : at + 1] != "{":
        raise ValueError("no JSON object")
    found: dict[str, JsonValue] = {}
    at = _skip_space(raw, at + 1)
    while raw[at : at + 1] != "}":
        key = _value(raw, at)
        at = _skip_space(raw, key.end)
        if raw[at : at + 1] != ":" or not isinstance(key.value, str):
            raise json.JSONDecodeError("Expecting ':' delimiter", raw, at)
        if key.value in found:
            raise ValueError(f"the key {key.value!r} occurs twice")
        found[key.value] = _value(raw, _skip_space(raw, at + 1))
        at = _next(raw, found[key.value].end, "}")
    return found, at + 1


def _items(raw: str, at: int) -> Iterator[JsonValue]:
    """The items of the JSON array at `at`."""
    at = _skip_space(raw, at + 1)
    while raw[at] != "]":
        item = _value(raw, at)
        yield item
        at = _next(raw, item.end, "]")


def _next(raw: str, at: int, close: str) -> int:
    """The offset of the next item, or of the closing bracket."""
    at = _skip_space(raw, at)
    if raw[at : at + 1] == ",":
        return _skip_space(raw, at + 1)
    if raw[at : at + 1] != close:
        raise json.JSONDecodeError("Expecting ',' delimiter", raw, at)
    return at


def _count(cell: dict[str, Any]) -> int | None:
    found = cell.get("execution_count")
    return found if isinstance(found, int) else None


def _shows_error(cell: dict[str, Any]) -> bool:
    metadata, outputs = cell.get("metadata"), cell.get("outputs")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    if isinstance(tags, list) and "raises-exception" in tags:
        return True
    return isinstance(outputs, list) and any(
        isinstance(output, dict) and output.get("output_type") == "error" and output.get("ename") != "KeyboardInterrupt"
        for output in outputs
    )


def _code_cells(raw: str, at: int) -> Iterator[CodeCell]:
    for number, item in enumerate(_items(raw, at), 1):
        if not isinstance(item.value, dict) or item.value.get("cell_type") != "code":
            continue
        try:
            source = _object(raw, item.start)[0].get("source")
        except ValueError as error:
            raise SourceError(f"not a notebook: cell {number}: {error}") from None
        lines = source.value if source is not None else None
        if source is None or not (
            isinstance(lines, str) or (isinstance(lines, list) and all(isinstance(line, str) for line in lines))
        ):
            raise SourceError(f"not a notebook: cell {number} has no source")
        yield CodeCell(
            number, "".join(lines or ()), source.start, source.end, _count(item.value), _shows_error(item.value)
        )


# --- a new source in the words of the old one -------------------------------------------------


class _SourceLine(NamedTuple):
    """A line of a source and how it is spelled in JSON."""

    text: str
    raw: str


def _encode_source(value: str, text: str, *, ascii_only: bool) -> str:
    """The JSON value of a source, a string or a list of them, for a new text."""
    spans = [found.span() for found in _STRING.finditer(value)]
    parts = [value[start + 1 : end - 1] for start, end in spans]
    split: Callable[[str], list[str]] = _by_line_feed
    if value.startswith("["):
        split = _splitter([json.loads(f'"{part}"') for part in parts])
    lines = _merge_lines(_lines("".join(parts), split), split(text), ascii_only)
    if not value.startswith("["):
        return f'"{"".join(lines)}"'
    if not lines or not spans:
        return json.dumps(list(lines))
    lead, trail = value[1 : spans[0][0]], value[spans[-1][1] : -1]
    between = value[spans[0][1] : spans[1][0]] if len(spans) > 1 else f",{lead or ' '}"
    return f"[{lead}{between.join(f'{chr(34)}{line}{chr(34)}' for line in lines)}{trail}]"


def _by_line_feed(text: str) -> list[str]:
    return _LINE.findall(text)


def _by_any(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _splitter(items: list[str]) -> Callable[[str], list[str]]:
    """How the items of a list became lines; nbformat takes str.splitlines."""
    return _by_line_feed if _by_line_feed("".join(items)) == items else _by_any


def _lines(raw: str, split: Callable[[str], list[str]]) -> list[_SourceLine]:
    characters = _CHARACTER.findall(raw)
    found, at = [], 0
    for text in split("".join(json.loads(f'"{character}"') for character in characters)):
        found.append(_SourceLine(text, "".join(characters[at : at + len(text)])))
        at += len(text)
    return found


def _merge_lines(old: Sequence[_SourceLine], new: Sequence[str], ascii_only: bool) -> list[str]:
    """The new lines in JSON: as they are spelled where they stood, and changed ones as far as they are the same."""
    merged: list[str] = []
    matcher = SequenceMatcher(None, [line.text for line in old], list(new), autojunk=False)
    for _, start, end, new_start, new_end in matcher.get_opcodes():
        for offset, text in enumerate(new[new_start:new_end]):
            model = old[start + offset] if start + offset < end else _SourceLine("", "")
            merged.append(_encode_changed_line(model, text, ascii_only))
    return merged


def _encode_changed_line(old: _SourceLine, text: str, ascii_only: bool) -> str:
    if old.text == text:
        return old.raw
    shortest = min(len(old.text), len(text))
    head = next((at for at in range(shortest) if old.text[at] != text[at]), shortest)
    rest = shortest - head
    tail = next((at for at in range(rest) if old.text[-1 - at] != text[-1 - at]), rest)
    characters = _CHARACTER.findall(old.raw)
    middle = json.dumps(text[head : len(text) - tail], ensure_ascii=ascii_only)[1:-1]
    return "".join([*characters[:head], middle, *characters[len(characters) - tail :]])


def notebook_text(cells: list[tuple[bool, str, Any, int | None, bool]]) -> str:
    """A notebook's JSON text. cells: whether it is Python code, text, metadata, execution count, whether it ended in an error."""
    return json.dumps(
        {
            "cells": [
                {
                    "cell_type": "code" if code else "markdown",
                    "execution_count": count,
                    "metadata": metadata,
                    "outputs": [{"output_type": "error"}] if failed else [],
                    "source": text,
                }
                for code, text, metadata, count, failed in cells
            ],
            "metadata": {},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    )
