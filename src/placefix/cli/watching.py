"""`check --watch`: a run, and another one whenever a file of it changes."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NoReturn

import typer

from placefix.cli.run_setup import create_stream, options_of, session_of_options
from placefix.report.output_stream import count_phrase

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.cli.options import RunOptions
    from placefix.session import Session

_EVERY = 0.5  # seconds between two looks at the files, at least
_SHARE = 10  # a look takes no more than this part of the time
_INTERRUPTED = 130
# The state of the files after a run: path, time and size of each; None if there is no session.
_State = tuple[tuple[str, int, int], ...] | None


def watch_files(run: RunOptions, check: Callable[[Session], int]) -> NoReturn:
    """Check, and check again when a file or a configuration file is new, changed or gone. Ends with Ctrl-C, exit code 0."""
    out = create_stream(run.color)
    try:
        while True:
            if out.terminal:
                out.bytes(b"\x1b[2J\x1b[H")  # clears the screen
                out.flush()
            before = _state(run)
            _run_once(run, check)
            if not run.quiet:
                out.note(
                    f"{time.strftime('%H:%M:%S')} Watching {count_phrase(len(before or ()), 'file')}. Ctrl-C ends it."
                )
            _wait(run, before)
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


def _wait(run: RunOptions, before: _State) -> None:
    """Return when the files are no longer as they were."""
    while True:
        start = time.monotonic()
        if _state(run) != before:
            return
        time.sleep(max(_EVERY, _SHARE * (time.monotonic() - start)))


def _run_once(run: RunOptions, check: Callable[[Session], int]) -> None:
    """A run; one that is interrupted raises KeyboardInterrupt, and one that fails has reported why."""
    try:
        check(session_of_options(run))
    except SystemExit as stop:
        if stop.code == _INTERRUPTED:
            raise KeyboardInterrupt from None
    except typer.Exit:
        pass


def _state(run: RunOptions) -> _State:
    """The files of a run and their configuration files as they are now; None where the configuration is bad."""
    from placefix.config import Configs
    from placefix.discover import Target, discover

    try:
        configs = Configs(options_of(run), file=run.config, isolated=run.isolated)
        targets = [target for target in discover(run.paths or [os.curdir], configs) if isinstance(target, Target)]
    except ValueError:
        return None
    paths = sorted({target.config.file for target in targets} - {""}) + [target.absolute for target in targets]
    return tuple((path, *_stat(path)) for path in paths)


def _stat(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
