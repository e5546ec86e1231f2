"""The configuration, the output and the session of a run, made from the options of a command."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.cli.options import RunOptions
    from placefix.config import Options
    from placefix.report.output_stream import OutputStream
    from placefix.session import ExecutionOptions, Session


def session_of_options(run: RunOptions) -> Session:
    """The session of `check` or `apply`. Ends the run where options contradict each other or the configuration is bad."""
    from placefix.session import STDIN, ExecutionOptions

    if run.format_with is not None and STDIN in (run.paths or ()):
        raise typer.BadParameter("--format-with is about files, and cannot be used with - (standard input)")
    means = ExecutionOptions(
        run.jobs or 0,
        None if run.no_cache else run.cache_dir or "",
        run.executor,
        run.quiet,
        run.allow_dirty,
        run.verbose,
        run.format_with or "",
    )
    return create_session(
        run.paths,
        options_of(run),
        run.config,
        run.isolated,
        run.stdin_filename,
        means,
        run.color,
        run.output_file,
        run.report,
        run.base_ref,
    )


def options_of(run: RunOptions) -> Options:
    """The options of `check` or `apply` that override the configuration."""
    from placefix.config import Options

    return Options(
        select=None if run.select is None else _normalize_codes(run.select),
        extend_select=_normalize_codes(run.extend_select or ()),
        ignore=_normalize_codes(run.ignore or ()),
        fixable=None if run.fixable is None else _normalize_codes(run.fixable),
        unfixable=_normalize_codes(run.unfixable or ()),
        exclude=tuple(run.exclude or ()),
        target_torch=run.target_torch,
        device_idiom=run.device_idiom,
        device_name=run.device_name,
        unsafe_fixes=run.unsafe_fixes,
        force_exclude=run.force_exclude,
        add_placement=run.add_placement,
        severity=run.severity,
        fragment=run.fragment,
    )


def _normalize_codes(values: Sequence[str]) -> tuple[str, ...]:
    """Codes in capitals, names of rules in small letters."""
    words = (word.strip() for value in values for word in value.split(","))
    return tuple(word.lower() if "-" in word else word.upper() for word in words)


def create_session(
    paths: list[str] | None,
    options: Options,
    config: str | None,
    isolated: bool,
    stdin_filename: str | None,
    means: ExecutionOptions,
    color: str,
    output_file: str | None = None,
    page: str | None = None,
    base_ref: str | None = None,
) -> Session:
    """The session of a run over files. Ends the run where options contradict each other or the configuration is bad."""
    from placefix.config import ConfigError, Configs
    from placefix.session import STDIN, Session

    stdin = paths is not None and STDIN in paths
    if stdin and sys.stdin is None:
        raise typer.BadParameter("- (standard input) is closed")
    if stdin and len(paths or ()) > 1:
        raise typer.BadParameter("- (standard input) cannot be mixed with other paths")
    if stdin_filename is not None and not stdin:
        raise typer.BadParameter("--stdin-filename needs - (standard input) as the path")
    if base_ref is not None and stdin:
        raise typer.BadParameter("--base-ref is about files, and cannot be used with - (standard input)")
    for file in filter(None, (output_file, page)):
        if not os.path.isdir(os.path.dirname(os.path.abspath(file))):  # known before the run, not after it
            raise typer.BadParameter(f"{file}: there is no such folder")
    out = create_stream(color, output_file)
    try:
        configs = Configs(options, file=config, isolated=isolated)
    except ConfigError as error:
        out.error("", str(error))
        raise typer.Exit(2) from None
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    name = (stdin_filename or STDIN) if stdin else None
    return Session(paths or [os.curdir], configs, out, stdin_name=name, means=means, page=page, base_ref=base_ref)


def create_stream(color: str, file: str | None = None) -> OutputStream:
    """The output of a command. color: auto, always or never. file: the path that it goes to instead of standard output."""
    from placefix.report.output_stream import OutputStream

    return OutputStream(colour=_use_colour(color, file is not None), file=file)


def _use_colour(color: str, to_file: bool = False) -> bool:
    """Whether to colour: by the option, never a file by itself, then NO_COLOR and FORCE_COLOR, then whether a terminal reads."""
    if color != "auto" or to_file:
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
