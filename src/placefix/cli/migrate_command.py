"""The command `migrate`."""

# Not `from __future__ import annotations`: typer would compile every annotation at each start.

import os
from typing import TYPE_CHECKING, Annotated

import typer

from placefix.cli.application import command
from placefix.cli.options import Color, ConfigFile, Isolated, one_of
from placefix.cli.run_setup import create_stream

if TYPE_CHECKING:
    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult


@command()
def migrate(
    to: Annotated[str, typer.Argument(metavar="ddp", help="DistributedDataParallel.", callback=one_of("ddp"))],
    script: Annotated[str, typer.Argument(metavar="SCRIPT", help="A training script with DataParallel.")],
    diff: Annotated[
        bool, typer.Option("--diff", help="Print the changes as a unified diff; change nothing. This is the default.")
    ] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Write the changes to the script; `placefix undo` takes them back.")
    ] = False,
    sync_batchnorm: Annotated[
        bool,
        typer.Option("--sync-batchnorm", help="Convert batch normalisation to SyncBatchNorm, which needs GPUs."),
    ] = False,
    config: ConfigFile = None,
    isolated: Isolated = False,
    color: Color = "auto",
) -> None:
    """Rewrite a training script from DataParallel to DistributedDataParallel. Review the result.

    Exits 0 if the script can be migrated, 1 with the reasons if it cannot, 2 on error.
    """
    from placefix.config import ConfigError, Configs
    from placefix.engine import ParseError
    from placefix.files import FileError
    from placefix.migrate import migrate_file
    from placefix.report.diff import write_diff
    from placefix.runner import RunError
    from placefix.source import SourceError

    if diff and write:
        raise typer.BadParameter("--diff and --write do not go together")
    out, refused = create_stream(color), False
    try:
        found = migrate_file(script, Configs(file=config, isolated=isolated), synchronised=sync_batchnorm)
        if found.result is None:
            refused = True
            for refusal in found.refusals:
                out.line(f"{script}:{refusal.row}: {refusal.text}")
            out.note("Not migrated, for the reasons above.")
        elif write:
            _write(found.result, out)
        else:
            write_diff(found.result, out)
    except ConfigError as error:
        out.error("", str(error))
    except (FileError, ParseError, RunError, SourceError) as error:
        out.error(script, str(error))
    out.flush()
    raise typer.Exit(2 if out.errors else int(refused))


def _write(result: "FileResult", out: "OutputStream") -> None:
    """Write a migrated script, recorded for `undo`."""
    from placefix import journal
    from placefix.runner import Repositories, write_results

    record = journal.Journal(journal.default_folder(), journal.journal_home(os.getcwd()))
    for written in write_results([result], Repositories(), record.note):
        if written.error:
            out.error(written.path, written.error)
        else:
            out.note(f"Migrated {written.path}. Start it with `torchrun --nproc-per-node=gpu {written.path}`.")
