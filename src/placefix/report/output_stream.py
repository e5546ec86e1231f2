"""Where reports go: standard output in bytes, errors on standard error in lines."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

if TYPE_CHECKING:
    import builtins
    from collections.abc import Callable, Iterable


class StyledText(NamedTuple):
    """A piece of a line, the name of its style in `terminal.STYLES`, and the address that it links to on a terminal."""

    text: str
    style: str = ""
    url: str = ""


class OutputStream:
    """Standard output that survives a reader who leaves, or a file in its place; and the run's errors.

    All text goes through `printable`: code, names and messages may contain control characters, which a terminal would execute.

    colour: whether styles are shown. file: the path of the file that `close` puts the output into.
    terminal: whether a person reads the output as it comes.
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
        self._resume = ""  # the word that lets GitHub Actions obey lines again
        self._held = False
        self.terminal = False
        if file is not None:
            self._output: BinaryIO | None = io.BytesIO()
            self._codec = ("utf-8", "surrogateescape")
            return
        # Closed from the start (`placefix >&-`), it is None.
        self._output = None if sys.stdout is None else sys.stdout.buffer
        self.terminal = sys.stdout is not None and sys.stdout.isatty()
        encoding = (None if sys.stdout is None else sys.stdout.encoding) or "utf-8"
        # File names that are not text go out as the bytes they are, where the encoding allows it.
        self._codec = (encoding, "surrogateescape" if encoding.lower() in ("utf-8", "utf8") else "backslashreplace")

    @property
    def links(self) -> bool:
        """Whether the output can hold links."""
        return self.terminal and self.colour

    @property
    def errors(self) -> int:
        """How many errors have been reported."""
        return len(self.failures)

    def hold_commands(self) -> None:
        """Until `close` or `release_commands`, let GitHub Actions obey no line of the output: of code and messages one may be a workflow command.

        Nothing is written for it to a file, or where nothing else is written.
        """
        if os.environ.get("GITHUB_ACTIONS") == "true" and self._output is not None and not self._is_file():
            self._resume = os.urandom(16).hex()

    def release_commands(self) -> None:
        """Let GitHub Actions obey lines again, where it has been kept from that."""
        resume, self._resume = self._resume, ""
        if self._held:
            self._held = False
            self.bytes(f"::{resume}::\n".encode())

    def _is_file(self) -> bool:
        """Whether the output goes into a file, and to no log."""
        if self._file is not None or self._output is None:
            return True
        try:
            return stat.S_ISREG(os.fstat(self._output.fileno()).st_mode)
        except OSError:
            return False

    def bytes(self, data: bytes) -> None:
        """Write bytes, unchanged."""
        if self._resume and not self._held:
            self._held = True
            self.bytes(f"::stop-commands::{self._resume}\n".encode())
        if self.before is not None:
            self.before()
        rest = memoryview(data)
        try:
            while rest and self._output is not None:  # unbuffered (python -u), a write may take a part only
                rest = rest[self._output.write(rest) :]
        except OSError as error:
            self._abandon(error)

    def line(self, *parts: StyledText | str) -> None:
        """Write a line of text, in colour if the stream has any."""
        self.block(self._shown(parts))

    def block(self, text: str) -> None:
        """Write lines that somebody has laid out, and made printable, already: a document, a table."""
        self.bytes(f"{text}\n".encode(*self._codec))

    def prompt(self, *parts: StyledText | str) -> None:
        """Write a question without a newline: the answer is typed on the same line."""
        self.bytes(self._shown(parts).encode(*self._codec))
        self.flush()

    def _shown(self, parts: tuple[StyledText | str, ...]) -> str:
        texts = []
        for part in parts:
            text, style, url = (part, "", "") if isinstance(part, str) else part
            text = printable(text, terminal=self.terminal)
            if self.colour and style:
                from placefix.report.terminal import paint

                text = paint(text, style)
            if self.links and url:
                from placefix.report.web_links import link_text

                text = link_text(text, url)
            texts.append(text)
        return "".join(texts)

    def flush(self) -> None:
        """Send the written bytes to the reader."""
        try:
            if self._output is not None:
                self._output.flush()
        except OSError as error:
            self._abandon(error)

    def close(self) -> None:
        """End the output: a file takes its place in one step, or the error is reported."""
        self.release_commands()
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

    def error(self, path: str, reason: str, place: tuple[int, int] = (0, 0)) -> None:
        """Report that the file at `path` could not be dealt with. place: row and column, 1-based, where `reason` begins with the row."""
        self.failures.append((path, reason))
        if place != (0, 0):
            path, reason = f"{path}:{place[0]}:{place[1]}", reason.removeprefix(f"line {place[0]}: ")
        self.note(f"error: {path}: {reason}" if path else f"error: {reason}")

    def note(self, text: str) -> None:
        """Write a line to standard error, after all that has been written to standard output."""
        self.flush()
        if self.before is not None:
            self.before()
        if sys.stderr is not None:
            with suppress(OSError):  # standard error is closed: the exit code still reports the failure
                print(printable(text, terminal=True), file=sys.stderr, flush=True)

    def _abandon(self, error: OSError) -> None:
        """Write no more: the reader has left, which is no error, or the disk is full, which is one."""
        self.broken, self._output = True, None
        # Python flushes standard output once more when it ends: give that a place to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            self.error("standard output", f"cannot be written: {error.strerror}")


def count_phrase(number: int, noun: str) -> str:
    """``1 file``, ``2 files``, ``2 patches``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}{'es' if noun.endswith(('ch', 'x')) else 's'}"


def severity_totals(severities: Iterable[str]) -> str:
    """``2 errors, 1 warning, 3 style`` of the values of severities, the worst first; those that do not occur are left out."""
    count = Counter(severities)
    words = (
        count_phrase(count["error"], "error"),
        count_phrase(count["warning"], "warning"),
        f"{count['style']} style",
    )
    return ", ".join(word for word in words if not word.startswith("0 "))


def printable(text: str, *, terminal: bool = False) -> str:
    """`text` on one line and without terminal control: invisible characters are shown as escapes.

    Undecodable bytes of a file name (surrogates) are kept, for a program that reads the name from a pipe; not on a `terminal`.
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c == "\t" or (not terminal and _byte(c)) else c.encode("unicode_escape").decode()
        for c in text
    )


def _byte(char: str) -> bool:
    """Whether the character represents a byte that could not be decoded (PEP 383)."""
    return "\udc80" <= char <= "\udcff"
