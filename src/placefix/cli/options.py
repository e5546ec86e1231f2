"""The options of the commands that read files, and the parameters that several commands share."""

# Not `from __future__ import annotations`: typer would compile every annotation at each start.

import functools
import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable


def one_of(*values: str) -> "Callable[[str | None], str | None]":
    """The check of an option whose value is one of `values`, or not given."""

    def check(value: str | None) -> str | None:
        """Raise BadParameter unless the value is one of `values`."""
        if value is not None and value not in values:
            raise typer.BadParameter(f"{value!r} is not one of {', '.join(values)}")
        return value

    return check


Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PATHS]...", help="Files and folders (default: .), or - for standard input.", show_default=False
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(metavar="PATTERN", help="Skip files and folders that match this .gitignore pattern; may be repeated."),
]
TargetTorch = Annotated[
    str | None,
    typer.Option(
        metavar="X.Y",
        help="Oldest torch version that the fixed code must run on (default: the version that the project declares, or 1.13).",
        show_default=False,
    ),
]
DeviceIdiom = Annotated[
    str | None,
    typer.Option(metavar="cuda|accelerator|auto", help="How a new device definition chooses the device."),
]
ConfigFile = Annotated[
    str | None,
    typer.Option("--config", metavar="FILE", envvar="PLACEFIX_CONFIG", help="Use only this configuration file."),
]
Isolated = Annotated[bool, typer.Option("--isolated", help="Ignore all configuration files.")]
StdinFilename = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="File name for standard input; its folder is searched for the configuration."),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print findings, diffs and errors only: no summary and no progress bar.")
]
CacheDir = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER", envvar="PLACEFIX_CACHE_DIR", help="Folder of the cached results.", show_default=False
    ),
]
Color = Annotated[
    str,
    typer.Option(metavar="auto|always|never", help="When to use colours.", callback=one_of("auto", "always", "never")),
]
_FORMATS = (
    "full",
    "concise",
    "json",
    "json-lines",
    "sarif",
    "github",
    "gitlab",
    "junit",
    "rdjson",
    "azure",
    "pylint",
    "grouped",
)


class Parameters:
    """Parameters of a command as fields with typer's annotations; an instance has their values as attributes."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


class RunOptions(Parameters):
    """The parameters that `check` and `apply` share; an instance has their values as attributes."""

    paths: Paths = None
    select: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODES",
            help="Run only these rules: codes, prefixes or names, separated by commas. Replaces `select` and `ignore` of the configuration.",
        ),
    ] = None
    extend_select: Annotated[list[str] | None, typer.Option(metavar="CODES", help="Run these rules in addition.")] = (
        None
    )
    ignore: Annotated[list[str] | None, typer.Option(metavar="CODES", help="Do not run these rules.")] = None
    fixable: Annotated[
        list[str] | None, typer.Option(metavar="CODES", help="Apply fixes of these rules only.", show_default=False)
    ] = None
    unfixable: Annotated[
        list[str] | None, typer.Option(metavar="CODES", help="Apply no fixes of these rules.", show_default=False)
    ] = None
    severity: Annotated[
        str | None,
        typer.Option(
            metavar="error|warning|style",
            help="Report and fix only findings of this severity and above; the others are counted.",
            show_default=False,
        ),
    ] = None
    exclude: Exclude = None
    force_exclude: Annotated[
        bool,
        typer.Option(
            "--force-exclude",
            help="Skip excluded files even if they are named on the command line, as pre-commit does.",
        ),
    ] = False
    unsafe_fixes: Annotated[
        bool | None,
        typer.Option(
            "--unsafe-fixes/--no-unsafe-fixes",
            help="Also apply fixes that rely on a premise; the report prints it.",
            show_default=False,
        ),
    ] = None
    add_placement: Annotated[
        bool | None,
        typer.Option(
            "--add-placement/--no-add-placement",
            help="Also add device placement to scripts that have none (PF501).",
            show_default=False,
        ),
    ] = None
    base_ref: Annotated[
        str | None,
        typer.Option(
            metavar="REV",
            help="Report only findings on lines that changed since the git commit REV, uncommitted changes included.",
            show_default=False,
        ),
    ] = None
    output_format: Annotated[
        str,
        typer.Option(
            metavar="|".join(_FORMATS),
            help="Format of the findings.",
            envvar="PLACEFIX_OUTPUT_FORMAT",
            callback=one_of(*_FORMATS),
        ),
    ] = "full"
    output_file: Annotated[
        str | None,
        typer.Option(
            "--output-file", "-o", metavar="FILE", help="Write the output to FILE instead of standard output."
        ),
    ] = None
    allow_dirty: Annotated[
        bool,
        typer.Option("--allow-dirty", help="Also change files that have uncommitted changes in git."),
    ] = False
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit 0 even if there are findings or a diff.")] = False
    exit_non_zero_on_fix: Annotated[bool, typer.Option("--exit-non-zero-on-fix", help="Exit 1 if a file changed.")] = (
        False
    )
    report: Annotated[
        str | None, typer.Option(metavar="FILE.html", help="Also write an HTML report: one file, no other resources.")
    ] = None
    format_with: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help='Format the changed lines with this command, for example "ruff format".',
            show_default=False,
        ),
    ] = None
    target_torch: TargetTorch = None
    device_idiom: DeviceIdiom = None
    device_name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Variable name of a new device definition.")
    ] = None
    config: ConfigFile = None
    isolated: Isolated = False
    stdin_filename: StdinFilename = None
    fragment: Annotated[
        bool,
        typer.Option(
            "--fragment",
            help="Also read pasted code: indented as a whole, with prompts, or with `...`. Standard input is always read so.",
        ),
    ] = False
    quiet: Quiet = False
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Also print the configuration files, the number of files and the time."),
    ] = False
    show_files: Annotated[bool, typer.Option("--show-files", help="List the files that would be read, then exit.")] = (
        False
    )
    show_settings: Annotated[bool, typer.Option("--show-settings", help="Print the settings in effect, then exit.")] = (
        False
    )
    color: Color = "auto"
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            metavar="N",
            min=1,
            help="Number of processes for large runs (default: number of CPUs).",
            show_default=False,
        ),
    ] = None
    cache_dir: CacheDir = None
    no_cache: Annotated[
        bool, typer.Option("--no-cache", envvar="PLACEFIX_NO_CACHE", help="Do not read or write cached results.")
    ] = False
    executor: Annotated[
        str,
        typer.Option(metavar="dask=ADDRESS", help="Run on a dask cluster; needs the extra `dask`.", show_default=False),
    ] = ""


def with_options(kind: "type[Parameters]") -> "Callable[[Callable[..., None]], Callable[..., None]]":
    """Make a command of a function whose first parameter is an object of this kind: typer sees its fields as parameters, after the command's own."""
    shared = {
        name: inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=getattr(kind, name), annotation=annotation
        )
        for name, annotation in inspect.get_annotations(kind).items()
    }

    def decorate(function: "Callable[..., None]") -> "Callable[..., None]":
        """The command of the function."""
        own = list(inspect.signature(function).parameters.values())[1:]

        @functools.wraps(function)
        def run(**values: Any) -> None:
            """Call the command with the shared parameters in one object."""
            function(kind(**{name: values.pop(name) for name in shared}), **values)

        parameters = [*(parameter.replace(kind=parameter.KEYWORD_ONLY) for parameter in own), *shared.values()]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate
