"""The commands over files: `check`, `apply`, `inventory`."""

# Not `from __future__ import annotations`: typer would compile every annotation at each start.

import sys
from typing import Annotated, Any

import typer
import typer.core

from placefix.cli.application import command
from placefix.cli.options import (
    Color,
    ConfigFile,
    DeviceIdiom,
    Exclude,
    Isolated,
    Paths,
    Quiet,
    RunOptions,
    StdinFilename,
    TargetTorch,
    one_of,
    with_options,
)
from placefix.cli.run_setup import create_session, create_stream, session_of_options


class _CheckCommand(typer.core.TyperCommand):
    """Takes `--add-ignore` without a value: the next word is a path."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give `--add-ignore` an empty value, so that the next word is a path."""
        end = args.index("--") if "--" in args else len(args)
        return super().parse_args(ctx, [f"{arg}=" if arg == "--add-ignore" else arg for arg in args[:end]] + args[end:])


@command(cls=_CheckCommand)
@with_options(RunOptions)
def check(
    run: RunOptions,
    context: typer.Context,
    fix: Annotated[
        bool, typer.Option("--fix", help="Apply the safe fixes, as `apply` does; exits 1 if problems remain.")
    ] = False,
    diff: Annotated[
        bool,
        typer.Option("--diff", help="Print the safe fixes as a unified diff, as `apply --diff` does; change nothing."),
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", "-w", help="Check again when a file changes, until Ctrl-C.")
    ] = False,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Print the number of findings of each rule instead.")
    ] = False,
    preview: Annotated[
        bool,
        typer.Option(
            "--preview", help="Also list, as notes, the findings that `apply` would fix after its first fixes."
        ),
    ] = False,
    add_ignore: Annotated[
        str | None,
        typer.Option(
            "--add-ignore",
            metavar="[=REASON]",
            help="Write comments that suppress the findings, with a reason; `placefix undo` removes them.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Report problems. Files change only with --fix or --add-ignore. Exits 0 if there are no findings, 1 with findings, 2 on error."""
    fix = fix and not diff  # as with ruff, --diff is a preview of --fix
    given = {"--fix": fix, "--diff": diff, "--watch": watch, "--statistics": statistics, "--add-ignore": add_ignore}
    _require_one_mode(run, [name for name, value in given.items() if value not in (False, None)], preview=preview)
    if statistics:
        _require_statistics_format(run, context)
    _require_add_ignore_reason(add_ignore)
    _require_options_of_mode(run, writes=fix or add_ignore is not None, fix=fix, diff=diff)
    if diff:
        _refuse_format(context)
    if watch:
        from placefix.cli.watching import watch_files

        watch_files(run, lambda session: session.check(run.output_format, preview=preview))
    session = session_of_options(run)
    if run.show_files or run.show_settings:
        code = session.show(settings=run.show_settings)
    elif add_ignore is not None:
        code = session.add_ignore(run.output_format, add_ignore.strip())
    elif fix:
        code = session.apply(run.output_format)
        code = 1 if code == 0 and (session.found or (run.exit_non_zero_on_fix and session.changed)) else code
    elif diff:
        code = session.diff()
    else:
        code = session.check(run.output_format, statistics=statistics, preview=preview)
    raise typer.Exit(0 if run.exit_zero and code == 1 else code)


def _require_one_mode(run: RunOptions, modes: list[str], *, preview: bool) -> None:
    """End the run where two modes of `check` are given, or one that does not fit --preview or standard input."""
    if len(modes) > 1:
        raise typer.BadParameter(f"{' and '.join(modes)} do not go together")
    if preview and modes not in ([], ["--statistics"], ["--watch"]):
        raise typer.BadParameter(f"--preview and {modes[0]} do not go together")
    if "-" in (run.paths or ()) and modes in (["--watch"], ["--add-ignore"]):
        raise typer.BadParameter(f"{modes[0]} is about files, and cannot be used with - (standard input)")


def _require_statistics_format(run: RunOptions, context: typer.Context) -> None:
    """End the run where --statistics has no such format. A format of the environment, which is for all runs, becomes "full"."""
    from placefix.report.statistics import FORMATS

    if run.output_format not in FORMATS and not _asks_for_format(context):
        run.output_format = "full"
    elif run.output_format not in FORMATS:
        raise typer.BadParameter(f"--statistics are written as {', '.join(FORMATS)}")


def _require_add_ignore_reason(reason: str | None) -> None:
    """End the run where the reason of --add-ignore is more than one line."""
    if reason is not None and not reason.isprintable():
        raise typer.BadParameter("the reason of --add-ignore has to be one line")


def _require_options_of_mode(run: RunOptions, *, writes: bool, fix: bool, diff: bool) -> None:
    """End the run where an option of `check` is given without the mode that it belongs to."""
    if run.allow_dirty and not writes:
        raise typer.BadParameter("--allow-dirty is for --fix and --add-ignore")
    if run.format_with is not None and not (fix or diff):
        raise typer.BadParameter("--format-with is for --fix and --diff")
    if run.exit_non_zero_on_fix and not fix:
        raise typer.BadParameter("--exit-non-zero-on-fix is for --fix")


@command()
@with_options(RunOptions)
def apply(
    run: RunOptions,
    context: typer.Context,
    diff: Annotated[
        bool, typer.Option("--diff", "--dry-run", help="Print the fixes as a unified diff; change nothing.")
    ] = False,
    interactive: Annotated[
        bool, typer.Option("--interactive", "-i", help="Ask about each fix, as `git add -p` does; needs a terminal.")
    ] = False,
    split_by: Annotated[
        str | None,
        typer.Option(
            metavar="dir|rule|owner",
            help="With --diff: a series of patches with descriptions, by top folder, rule or CODEOWNERS.",
            callback=one_of("dir", "rule", "owner"),
            show_default=False,
        ),
    ] = None,
    output_dir: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Folder for the patches of --split-by; must be empty or missing.", show_default=False
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the patches of an earlier run in --output-dir.")
    ] = False,
) -> None:
    """Apply the safe fixes, in place. Exits 0 when done, 2 on error; with --diff, 1 if there is a diff."""
    if split_by is not None or output_dir is not None or force:
        _require_series(run, split_by, output_dir, diff=diff)
    if interactive:
        _require_person(run, diff=diff)
    if diff:
        _refuse_format(context)
    if run.exit_zero and not diff:
        raise typer.BadParameter("--exit-zero is for --diff")
    session = session_of_options(run)
    if run.show_files or run.show_settings:
        code = session.show(settings=run.show_settings)
    elif interactive:
        code = session.interactive(sys.stdin.readline)
    elif split_by is not None and output_dir is not None:
        code = session.split(split_by, output_dir, force=force)
    else:
        code = session.diff() if diff else session.apply(run.output_format)
    if run.exit_zero and code == 1:
        code = 0
    raise typer.Exit(1 if run.exit_non_zero_on_fix and code == 0 and session.changed else code)


def _refuse_format(context: typer.Context) -> None:
    """Exit with a usage error if --diff is used with --output-format."""
    if _asks_for_format(context):
        raise typer.BadParameter("--diff writes a unified diff: it goes with no --output-format")


def _asks_for_format(context: typer.Context) -> bool:
    """Whether --output-format is given, and not by the environment or by default."""
    source = context.get_parameter_source("output_format")
    return source is not None and source.name == "COMMANDLINE"


def _require_series(run: RunOptions, split_by: str | None, output_dir: str | None, *, diff: bool) -> None:
    """Exit with a usage error unless all options of a series of patches are given."""
    if split_by is None or output_dir is None or not diff:
        raise typer.BadParameter("a series of patches takes --diff, --split-by and --output-dir")
    if run.output_file is not None or run.format_with is not None or "-" in (run.paths or ()):
        raise typer.BadParameter("--split-by goes with neither --output-file, --format-with nor - (standard input)")


def _require_person(run: RunOptions, *, diff: bool) -> None:
    """End the run unless a user can answer questions."""
    if diff or run.output_file is not None or "-" in (run.paths or ()):
        raise typer.BadParameter("--interactive goes with neither --diff nor --output-file nor - (standard input)")
    if sys.stdin is None or not sys.stdin.isatty():
        create_stream("never").error("", "--interactive asks on a terminal, and standard input is none")
        raise typer.Exit(2)


@command()
def inventory(
    paths: Paths = None,
    exclude: Exclude = None,
    output_format: Annotated[
        str,
        typer.Option(
            metavar="table|json|markdown",
            help="Format of the inventory.",
            callback=one_of("table", "json", "markdown"),
        ),
    ] = "table",
    target_torch: TargetTorch = None,
    device_idiom: DeviceIdiom = None,
    config: ConfigFile = None,
    isolated: Isolated = False,
    stdin_filename: StdinFilename = None,
    quiet: Quiet = False,
    color: Color = "auto",
) -> None:
    """List every use of CUDA, and what `apply` does about it. Exits 0, or 2 on error."""
    from placefix.config import Options
    from placefix.session import ExecutionOptions

    options = Options(exclude=tuple(exclude or ()), target_torch=target_torch, device_idiom=device_idiom)
    means = ExecutionOptions(cache=None, quiet=quiet)
    raise typer.Exit(
        create_session(paths, options, config, isolated, stdin_filename, means, color).inventory(output_format)
    )
