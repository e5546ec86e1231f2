"""The runs that `undo` can revert, and the diff of the last one."""

from __future__ import annotations

import os
from datetime import datetime
from typing import TYPE_CHECKING

from placefix import files
from placefix.report.diff import patch, patch_name, style_line, unified
from placefix.report.output_stream import StyledText, count_phrase
from placefix.runner import RunError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.journal import Record
    from placefix.report.output_stream import OutputStream

NOTHING = "there is nothing to undo here"
_NAMED = 5  # files of a run that are named


def history_table(records: Iterable[Record], out: OutputStream) -> None:
    """One line a run: when, how many files, which. Raises RunError where there is none."""
    empty = True
    for record in records:
        empty = False
        names = [os.path.relpath(entry.path) for entry in record.entries]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        when = datetime.fromtimestamp(record.when).strftime("%Y-%m-%d %H:%M:%S")
        out.line(StyledText(when, "header"), f"  {count_phrase(len(names), 'file')}: {', '.join(names[:_NAMED])}{more}")
    if empty:
        raise RunError(NOTHING)


def undo_diff(records: Iterable[Record], out: OutputStream) -> None:
    """Print the changes that undoing the newest of the runs would make. Raises RunError if there is none."""
    record = next(iter(records), None)
    if record is None:
        raise RunError(NOTHING)
    for entry in record.entries:
        try:
            now = files.read(entry.path)
        except files.FileError as error:
            raise RunError(f"{os.path.relpath(entry.path)}: {error}") from None
        name = patch_name(entry.path)
        if now == entry.before:
            continue
        if out.colour or out.terminal:
            old, new = now.decode("utf-8", "replace"), entry.before.decode("utf-8", "replace")
            for line in unified(old, new, os.fsdecode(name)):
                out.line(style_line(line))
        else:
            out.bytes(patch(name, now, entry.before))
