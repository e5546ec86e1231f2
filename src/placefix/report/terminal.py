"""Colour and Markdown for terminals: the only module that imports rich."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from rich.color import ColorSystem
from rich.console import Console
from rich.markdown import Markdown
from rich.style import Style
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "style": "bold cyan",
    "note": "dim",
    "path": "bold",
    "code": "bold",
    "fixable": "cyan",
    "gutter": "blue",
    "caret": "bold red",
    "label": "bold",
    "header": "bold",
    "hunk": "cyan",
    "added": "green",
    "removed": "red",
}


@cache
def _console() -> Console:
    # Whether there is colour has been decided before we get here.
    return Console(force_terminal=True, no_color=False)


@cache
def _style(name: str) -> tuple[Style, ColorSystem]:
    system = {"256": ColorSystem.EIGHT_BIT, "truecolor": ColorSystem.TRUECOLOR}
    return Style.parse(STYLES[name]), system.get(_console().color_system or "", ColorSystem.STANDARD)


def paint(text: str, style: str) -> str:
    """`text` between the escape sequences of a style; nothing else about it changes."""
    parsed, system = _style(style)
    return parsed.render(text, color_system=system)


def markdown(text: str) -> str:
    """Markdown laid out for the terminal's width."""
    console = _console()
    with console.capture() as capture:
        console.print(Markdown(text))
    return capture.get()


def table(title: str, headers: Sequence[str], rows: Sequence[Sequence[str]], numbers: frozenset[int]) -> str:
    """A table laid out for the terminal's width; the columns in `numbers` are right-aligned."""
    laid = Table(title=title, title_justify="left", title_style="bold")
    for number, header in enumerate(headers):
        laid.add_column(header, justify="right" if number in numbers else "left", overflow="fold")
    for row in rows:
        laid.add_row(*map(Text, row))
    console = _console()
    with console.capture() as capture:
        console.print(laid)
    return capture.get()


class Bar:
    """A progress bar on standard error that makes way for other output."""

    def __init__(self, total: int, console: Console | None = None) -> None:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            ProgressColumn,
            TextColumn,
            TimeRemainingColumn,
        )
        from rich.table import Column

        def fixed(width: int) -> Column:
            """A column of constant width."""
            return Column(width=width, min_width=width, no_wrap=True)

        # Fixed widths keep the bar in place; the path gets the remaining width.
        columns: tuple[ProgressColumn, ...] = (
            BarColumn(24, table_column=fixed(24)),
            MofNCompleteColumn(table_column=fixed(2 * len(str(total)) + 1)),
            TextColumn("{task.fields[rate]:>5} files/s", table_column=fixed(13)),
            TimeRemainingColumn(table_column=fixed(7)),
            TextColumn(
                "{task.fields[path]}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1)
            ),
        )
        console = console or Console(stderr=True)
        self._progress = Progress(*columns, console=console, transient=True, auto_refresh=False, expand=True)
        self._task = self._progress.add_task("", total=total, rate="", path="")
        self._shown = False

    def show(self, done: int, path: str) -> None:
        """Draw the bar where `done` files are and `path` was the last."""
        if not self._shown:
            self._progress.start()
            self._shown = True
        speed = self._progress.tasks[0].speed
        rate = f"{speed:.0f}" if speed else "…"
        self._progress.update(self._task, completed=done, rate=rate, path=path, refresh=True)

    def hide(self) -> None:
        """Take the bar off the screen until it is shown again."""
        if self._shown:
            self._progress.stop()
            self._shown = False
