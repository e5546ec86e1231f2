"""Where reports go: standard output in bytes, errors on standard error in lines."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple


class Part(NamedTuple):
    """A piece of a line and the name of its style in `terminal.STYLES`."""

    text: str
    style: str = ""


class Stream:
    """Standard output that survives a reader who leaves, and the run's errors.

    colour: whether styles are shown. broken: nobody reads any more, further output is dropped.
    errors: how many errors have been reported.
    """

    def __init__(self, *, colour: bool) -> None:
        self.colour = colour
        self.broken = False
        self.errors = 0
        encoding = sys.stdout.encoding or "utf-8"
        # File names that are not text go out as the bytes they are, where the encoding allows it.
        self._codec = (encoding, "surrogateescape" if encoding.lower() in ("utf-8", "utf8") else "backslashreplace")

    def bytes(self, data: bytes) -> None:
        """Write `data` as it is."""
        if self.broken:
            return
        try:
            sys.stdout.buffer.write(data)
        except BrokenPipeError:
            self._abandon()

    def line(self, *parts: Part | str) -> None:
        """Write a line of text, in colour if the stream has any."""
        texts = []
        for part in parts:
            if isinstance(part, str):
                texts.append(part)
            elif self.colour and part.style:
                from placefix.report.terminal import paint

                texts.append(paint(part.text, part.style))
            else:
                texts.append(part.text)
        self.bytes(("".join(texts) + "\n").encode(*self._codec))

    def flush(self) -> None:
        if self.broken:
            return
        try:
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            self._abandon()

    def error(self, path: str, reason: str) -> None:
        """Report that the file at `path` could not be dealt with."""
        self.errors += 1
        self.note(f"error: {printable(path)}: {printable(reason)}" if path else f"error: {printable(reason)}")

    def note(self, text: str) -> None:
        """Write a line to standard error, after all that has been written to standard output."""
        self.flush()
        print(text, file=sys.stderr, flush=True)

    def _abandon(self) -> None:
        self.broken = True
        # Python flushes standard output once more when it ends: give that a place to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def printable(text: str) -> str:
    """`text` on one line and without terminal control: control characters are shown as escapes."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c == "\t" or _surrogate(c) else c.encode("unicode_escape").decode() for c in text
    )


def _surrogate(char: str) -> bool:
    return "\ud800" <= char <= "\udfff"
