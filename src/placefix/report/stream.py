"""Where reports go: standard output in bytes, errors on standard error in lines."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

from placefix.lazy import NamedTuple

if TYPE_CHECKING:
    import builtins
    from collections.abc import Callable


class Part(NamedTuple):
    """A piece of a line and the name of its style in `terminal.STYLES`."""

    text: str
    style: str = ""


class Stream:
    """Standard output that survives a reader who leaves, or a file in its place; and the run's errors.

    colour: whether styles are shown. file: the path of the file that `close` puts the output into.
    broken: the reader has left, or output cannot be written; further output is dropped.
    failures: the errors reported so far, each with the path of its file (empty for one of the whole run).
    before: called before anything is written.
    """

    def __init__(self, *, colour: bool, file: str | None = None) -> None:
        self.colour = colour
        self.broken = False
        self.before: Callable[[], None] | None = None
        self.failures: list[tuple[str, str]] = []
        self._file = file
        if file is not None:
            self._output: BinaryIO | None = io.BytesIO()
            self._codec = ("utf-8", "surrogateescape")
            return
        # Closed from the start (`placefix >&-`), it is None.
        self._output = None if sys.stdout is None else sys.stdout.buffer
        encoding = (None if sys.stdout is None else sys.stdout.encoding) or "utf-8"
        # File names that are not text go out as the bytes they are, where the encoding allows it.
        self._codec = (encoding, "surrogateescape" if encoding.lower() in ("utf-8", "utf8") else "backslashreplace")

    @property
    def errors(self) -> int:
        """How many errors have been reported."""
        return len(self.failures)

    def bytes(self, data: bytes) -> None:
        """Write `data` as it is."""
        if self.before is not None:
            self.before()
        rest = memoryview(data)
        try:
            while rest and self._output is not None:  # unbuffered (python -u), a write may take a part only
                rest = rest[self._output.write(rest) :]
        except OSError as error:
            self._abandon(error)

    def line(self, *parts: Part | str) -> None:
        """Write a line of text, in colour if the stream has any."""
        self._text(*parts, "\n")

    def prompt(self, *parts: Part | str) -> None:
        """Write what a person is to answer, on the line where they do."""
        self._text(*parts)
        self.flush()

    def _text(self, *parts: Part | str) -> None:
        texts = []
        for part in parts:
            if isinstance(part, str):
                texts.append(part)
            elif self.colour and part.style:
                from placefix.report.terminal import paint

                texts.append(paint(part.text, part.style))
            else:
                texts.append(part.text)
        self.bytes("".join(texts).encode(*self._codec))

    def flush(self) -> None:
        """Send what has been written on its way."""
        try:
            if self._output is not None:
                self._output.flush()
        except OSError as error:
            self._abandon(error)

    def close(self) -> None:
        """End the output: a file takes its place in one step, or the error is reported."""
        self.flush()
        if self._file is not None and isinstance(self._output, io.BytesIO):
            self.save(self._file, self._output.getvalue())

    def save(self, path: str, data: builtins.bytes) -> None:
        """Put `data` into the file at `path`, in one step; an error is reported."""
        from placefix import files

        try:
            files.put(path, data)
        except files.FileError as error:
            self.error(path, str(error))

    def error(self, path: str, reason: str) -> None:
        """Report that the file at `path` could not be dealt with."""
        self.failures.append((path, reason))
        self.note(f"error: {printable(path)}: {printable(reason)}" if path else f"error: {printable(reason)}")

    def note(self, text: str) -> None:
        """Write a line to standard error, after all that has been written to standard output."""
        self.flush()
        if self.before is not None:
            self.before()
        if sys.stderr is not None:
            with suppress(OSError):  # nobody can be told; the run and its exit code are what they are
                print(text, file=sys.stderr, flush=True)

    def _abandon(self, error: OSError) -> None:
        """Write no more: the reader has left, which is no error, or the disk is full, which is one."""
        self.broken, self._output = True, None
        # Python flushes standard output once more when it ends: give that a place to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            self.error("standard output", f"cannot be written: {error.strerror}")


def counted(number: int, noun: str) -> str:
    """``1 file``, ``2 files``, ``2 patches``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}{'es' if noun.endswith('ch') else 's'}"


def printable(text: str) -> str:
    """`text` on one line and without terminal control: control characters are shown as escapes."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c == "\t" or _surrogate(c) else c.encode("unicode_escape").decode() for c in text
    )


def _surrogate(char: str) -> bool:
    return "\ud800" <= char <= "\udfff"
