"""Parts that the formats for machines share: paths relative to the repository, advice as text, fingerprints."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from placefix.gitignore import relative_to
from placefix.report.output_stream import printable
from placefix.report.text import TITLES

if TYPE_CHECKING:
    from placefix.diagnostic import Diagnostic
    from placefix.source import Source

# Environment variables of CI services with the path of the repository; jobs may run in a folder of it.
_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


def report_root() -> str:
    """The folder that paths are relative to: the repository where CI names it, else the working directory."""
    here = os.getcwd()
    for variable in _ROOTS:
        folder = os.environ.get(variable)
        if folder and relative_to(here, os.path.realpath(folder)):
            return os.path.realpath(folder)
    return here


def relative_path(path: str, folder: str) -> str:
    """A file's path below `folder` with / between its parts, or its absolute path if it is elsewhere."""
    absolute = os.path.abspath(path)
    return relative_to(absolute, folder) or absolute.replace(os.sep, "/")


def plain_line(text: str) -> str:
    """`text` on one line, without control characters and bytes that are no text."""
    return printable(text).encode("utf-8", "backslashreplace").decode("utf-8")


def cell_position(source: Source, offset: int) -> str:
    """Where in a notebook an offset is, for messages whose line is one of the file; empty elsewhere."""
    from placefix.report.concise import row_and_column

    return "" if source.cell(offset) is None else f"{row_and_column(source, offset)}: "


def advice_lines(diagnostic: Diagnostic) -> list[str]:
    """The fix with its premise, and the note, a line each."""
    fix = diagnostic.fix
    lines = [] if fix is None else [f"{TITLES[fix.applicability]}: {fix.message}"]
    if fix is not None and fix.premise:
        lines.append(f"because: {fix.premise}")
    return [*lines, diagnostic.note] if diagnostic.note else lines


def advised_message(diagnostic: Diagnostic, source: Source) -> str:
    """The severity and the message of a finding, with its fix and its note."""
    position = cell_position(source, diagnostic.span.start)
    return ". ".join([f"{diagnostic.severity.value}: {position}{diagnostic.message}", *advice_lines(diagnostic)])


class Fingerprints:
    """Names for findings that stay when lines move: they are made of the file, the rule and the line's text.

    Equal ones of a file are numbered from the top.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str, str], int] = {}

    def of(self, path: str, diagnostic: Diagnostic, source: Source) -> str:
        """The fingerprint of the next finding, from the top of the file to its end: 32 hexadecimal digits."""
        from hashlib import blake2b

        line = source.line(source.line_of(diagnostic.span.start)).strip()
        key = (path, diagnostic.code, line)
        number = self._seen[key] = self._seen.get(key, -1) + 1
        text = "\0".join((*key, str(number)))
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
