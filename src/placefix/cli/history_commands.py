"""The commands over what earlier runs have left: `undo`, `clean`."""

# Not `from __future__ import annotations`: typer would compile every annotation at each start.

import os

import typer

from placefix.cli.application import command
from placefix.cli.options import CacheDir
from placefix.cli.run_setup import stream


@command()
def undo() -> None:
    """Take back the last apply in this repository (or folder). Exits 0 when done, 2 where a file has changed since."""
    from placefix import journal
    from placefix.batch import RunError
    from placefix.report.stream import counted

    out = stream("never")
    try:
        restored = journal.undo(journal.default_folder(), journal.home(os.getcwd()))
    except RunError as error:
        out.error("", str(error))
        raise typer.Exit(2) from None
    out.note(f"Restored {counted(len(restored), 'file')}.")


@command()
def clean(cache_dir: CacheDir = None) -> None:
    """Remove the results that earlier runs have kept."""
    from placefix import cache
    from placefix.report.stream import counted

    folder = cache_dir or cache.default_folder()
    count = cache.clean(folder)
    out = stream("never")
    out.line(f"Removed {counted(count, 'cache file')} from {folder}.")
    out.flush()
