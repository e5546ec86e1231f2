"""How far a long run has come: a bar on a terminal, a line once in a while elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from placefix.report.output_stream import printable

if TYPE_CHECKING:
    from placefix.report.output_stream import OutputStream
    from placefix.report.terminal import Bar

_SOON = 0.5  # seconds: a run that is over by then shows nothing
_EVERY = 0.1  # seconds between two looks of the bar
_LINES_EVERY = 10.0  # seconds between two lines


class Progress:
    """The progress of one run on standard error."""

    def __init__(self, out: OutputStream) -> None:
        self._out = out
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._start = time.monotonic()
        self._next = self._start + (_SOON if self._terminal else _LINES_EVERY)
        self._bar: Bar | None = None

    def seen(self, done: int, total: int, path: str) -> None:
        """`done` of `total` files are; the last one was `path`."""
        now = time.monotonic()
        if done == total:
            self._hide()
        elif now >= self._next:
            if self._terminal:
                self._next = now + _EVERY
                self._show(done, total, path)
            else:
                self._next = now + _LINES_EVERY
                rate = done / (now - self._start)
                self._out.note(f"{done} of {total} files, {rate:.0f} a second, now {path}")

    def _show(self, done: int, total: int, path: str) -> None:
        from placefix.report.terminal import Bar

        self._out.flush()
        if self._bar is None:
            self._bar = Bar(total)
            self._out.before = self._hide  # output must not appear in the middle of the bar
        self._bar.show(done, printable(path, terminal=True))

    def _hide(self) -> None:
        if self._bar is not None:
            self._bar.hide()
