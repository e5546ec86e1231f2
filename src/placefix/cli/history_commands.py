"""The commands for the records of earlier runs: `undo`, `clean`."""

# Not `from __future__ import annotations`: typer would compile every annotation at each start.

import os
from typing import Annotated

import typer

from placefix.cli.application import command
from placefix.cli.options import CacheDir, Color
from placefix.cli.run_setup import create_stream


@command()
def undo(
    listing: Annotated[
        bool, typer.Option("--list", help="List the runs that can be undone, newest first; change nothing.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print the changes of undo as a diff; change nothing.")] = False,
    color: Color = "auto",
) -> None:
    """Revert the last `apply` in this repository or folder. Exits 0 when done, 2 if a file has changed since."""
    from placefix import journal
    from placefix.report.output_stream import count_phrase
    from placefix.runner import RunError

    if listing and diff:
        raise typer.BadParameter("--list and --diff are two commands")
    out = create_stream(color)
    folder, home = journal.default_folder(), journal.journal_home(os.getcwd())
    try:
        if listing or diff:
            from placefix.report import undo_history

            records = journal.records(folder, home)
            (undo_history.history_table if listing else undo_history.undo_diff)(records, out)
            out.flush()
        else:
            restored = journal.undo_last_run(folder, home)
            out.note(f"Restored {count_phrase(len(restored), 'file')}.")
    except RunError as error:
        out.error("", str(error))
    raise typer.Exit(2 if out.errors else 0)


@command()
def clean(cache_dir: CacheDir = None) -> None:
    """Remove the cached results of earlier runs."""
    from placefix import cache
    from placefix.report.output_stream import count_phrase

    folder = cache_dir or cache.default_folder()
    count = cache.clean(folder)
    out = create_stream("never")
    out.line(f"Removed {count_phrase(count, 'cache file')} from {folder}.")
    out.flush()
