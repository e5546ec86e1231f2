"""Unified diffs that `git apply` and `patch -p1` accept, in the file's own bytes.

Like git and unlike str.splitlines, a line ends at a line feed only: a carriage return, a
form feed or U+2028 is a byte of its line.
"""

from __future__ import annotations

import difflib
import os
from typing import TYPE_CHECKING, Any

from placefix.gitignore import relative_to
from placefix.report.output_stream import StyledText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult

CONTEXT = 3  # lines around a change
_NO_NEWLINE = "\\ No newline at end of file"
_STYLES = {"@": "hunk", "+": "added", "-": "removed"}
_ESCAPES = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


def write_diff(result: FileResult, out: OutputStream) -> bool:
    """Write the diff of a changed file; whether there is one."""
    before, after = result.before_after()
    if before == after or result.source is None:
        return False
    name = patch_name(result.absolute)
    if out.colour or out.terminal:  # `git apply` needs the exact bytes; a terminal, no control codes
        encoding = result.source.encoding
        lines = unified(before.decode(encoding), after.decode(encoding), os.fsdecode(name))
        for line in lines:
            out.line(style_line(line))
    else:
        out.bytes(patch(name, before, after))
    return True


def patch(name: bytes, before: bytes, after: bytes) -> bytes:
    """The diff of a file's bytes, under a header that holds `name` twice."""
    # Latin-1 maps each byte to one character and back: difflib needs text, we need the bytes.
    lines = unified(before.decode("latin-1"), after.decode("latin-1"), name.decode("latin-1"))
    return "".join(line + "\n" for line in lines).encode("latin-1")


def unified(before: str, after: str, name: str) -> Iterator[str]:
    """The lines of the diff without their line feeds."""
    yield f"--- {_quote_name('a/' + name)}"
    yield f"+++ {_quote_name('b/' + name)}"
    yield from hunks(before, after)


def hunks(before: str, after: str, context: int = CONTEXT) -> Iterator[str]:
    """The hunks of the diff, line by line without their line feeds."""
    old, new = _lines(before), _lines(after)
    for group in _LineMatcher(old, new).get_grouped_opcodes(context):
        yield f"@@ -{_range(group[0][1], group[-1][2])} +{_range(group[0][3], group[-1][4])} @@"
        for tag, i1, i2, j1, j2 in group:
            changed = [(" ", old[i1:i2])] if tag == "equal" else [("-", old[i1:i2]), ("+", new[j1:j2])]
            for sign, line in ((sign, line) for sign, lines in changed for line in lines):
                yield sign + line.removesuffix("\n")
                if not line.endswith("\n"):
                    yield _NO_NEWLINE


class _LineMatcher(difflib.SequenceMatcher[str]):
    """difflib ignores frequent lines in files of 200 lines and more, and shows those beside a change as changed: here they are compared
    once more."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        super().__init__(None, old, new)
        self._old, self._new = old, new

    def get_opcodes(self) -> list[tuple[Any, int, int, int, int]]:
        """As of the base class."""
        found: list[tuple[Any, int, int, int, int]] = []
        for code, i1, i2, j1, j2 in super().get_opcodes():
            inner = difflib.SequenceMatcher(None, self._old[i1:i2], self._new[j1:j2], autojunk=False)
            parts = inner.get_opcodes() if code == "replace" else [(code, 0, i2 - i1, 0, j2 - j1)]
            found += [(tag, i1 + a, i1 + b, j1 + c, j1 + d) for tag, a, b, c, d in parts]
        return found


def _range(start: int, end: int) -> str:
    """The lines of a hunk in its header: the first one, 1-based, and the number if it is not 1."""
    count = end - start
    return f"{start + 1}" if count == 1 else f"{start + 1 if count else start},{count}"


def style_line(line: str) -> StyledText:
    """A line of a diff as a terminal shows it."""
    style = "header" if line.startswith(("--- ", "+++ ")) else _STYLES.get(line[:1], "")
    return StyledText(line.removesuffix("\r"), style)


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])


def split_lines(data: bytes) -> list[bytes]:
    """The lines of a file as a diff sees them, each with its line feed if it has one."""
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def patch_name(absolute: str) -> bytes:
    """The name that a patch gives to a file: relative to the working directory, so that
    `patch -p1` and `git apply` find it from there; from / for a file elsewhere (`patch -d /`)."""
    real = os.path.realpath(absolute)
    relative = relative_to(real, os.path.realpath(os.getcwd()))
    return os.fsencode(relative or os.path.splitdrive(real)[1].replace(os.sep, "/").lstrip("/"))


def _quote_name(name: str) -> str:
    """A file name as git writes it into a header (with core.quotePath off)."""
    # git does not quote a space at the end of a name; patch would lose the space.
    if name.endswith(" ") or any(ord(char) < 32 or char in '"\\\x7f' for char in name):
        return '"' + "".join(_escape(char) for char in name) + '"'
    # A tab ends a name that holds a space, for patch would otherwise look for a date in it.
    return name + "\t" if " " in name else name


def _escape(char: str) -> str:
    code = ord(char)
    return _ESCAPES.get(code) or (f"\\{code:03o}" if code < 32 or code == 127 else char)
