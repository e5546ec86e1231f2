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
    typer.Option(
        metavar="PATTERN", help="Leave out what matches a .gitignore pattern when searching folders; may be repeated."
    ),
]
TargetTorch = Annotated[
    str | None,
    typer.Option(
        metavar="X.Y",
        help="The oldest torch that the repaired code must run on (default: the lower bound, pin or lock that the project declares, else 1.13).",
        show_default=False,
    ),
]
DeviceIdiom = Annotated[
    str | None,
    typer.Option(metavar="cuda|accelerator|auto", help="How an inserted device definition finds the device."),
]
ConfigFile = Annotated[
    str | None,
    typer.Option(
        "--config", metavar="FILE", envvar="PLACEFIX_CONFIG", help="Use this configuration file and no other."
    ),
]
Isolated = Annotated[bool, typer.Option("--isolated", help="Use no configuration file.")]
StdinFilename = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The name to give to standard input, and the place to look for its configuration."
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No summary, no progress; findings, diffs and errors only.")]
CacheDir = Annotated[
    str | None,
    typer.Option(metavar="FOLDER", envvar="PLACEFIX_CACHE_DIR", help="Where results are kept.", show_default=False),
]
Color = Annotated[
    str, typer.Option(metavar="auto|always|never", help="Colours.", callback=one_of("auto", "always", "never"))
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


class RunOptions:
    """The parameters that `check` and `apply` share; an instance has their values as attributes."""

    paths: Paths = None
    select: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODES",
            help="Only these rules: codes, prefixes or names, separated by commas. Replaces the configuration's select and ignore.",
        ),
    ] = None
    extend_select: Annotated[
        list[str] | None, typer.Option(metavar="CODES", help="These rules beside those that are selected.")
    ] = None
    ignore: Annotated[list[str] | None, typer.Option(metavar="CODES", help="Not these rules.")] = None
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
            help="Only findings of this severity and above; the others are counted, and not fixed.",
            show_default=False,
        ),
    ] = None
    exclude: Exclude = None
    force_exclude: Annotated[
        bool,
        typer.Option(
            "--force-exclude", help="Leave out what is excluded though it is named, as pre-commit names files."
        ),
    ] = False
    unsafe_fixes: Annotated[
        bool | None,
        typer.Option(
            "--unsafe-fixes/--no-unsafe-fixes", help="Also fixes whose premise is not proven.", show_default=False
        ),
    ] = None
    add_placement: Annotated[
        bool | None,
        typer.Option(
            "--add-placement/--no-add-placement",
            help="Also place scripts that place nothing at all (PF501).",
            show_default=False,
        ),
    ] = None
    base_ref: Annotated[
        str | None,
        typer.Option(
            metavar="REV",
            help="Only findings on lines changed in the git work tree since the commit REV, or not committed: their own lines, "
            "not those that their fix changes.",
            show_default=False,
        ),
    ] = None
    output_format: Annotated[
        str,
        typer.Option(
            metavar="|".join(_FORMATS),
            help="How findings are written.",
            envvar="PLACEFIX_OUTPUT_FORMAT",
            callback=one_of(*_FORMATS),
        ),
    ] = "full"
    output_file: Annotated[
        str | None,
        typer.Option("--output-file", "-o", metavar="FILE", help="Write to FILE what would go to standard output."),
    ] = None
    allow_dirty: Annotated[
        bool,
        typer.Option("--allow-dirty", help="Also write files with uncommitted changes that were found in a folder."),
    ] = False
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="Exit 0 where findings, or a diff, would make it 1.")
    ] = False
    exit_non_zero_on_fix: Annotated[
        bool, typer.Option("--exit-non-zero-on-fix", help="Exit 1 if a file was changed.")
    ] = False
    report: Annotated[
        str | None, typer.Option(metavar="FILE.html", help="Also write a page to look through, complete in one file.")
    ] = None
    format_with: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help='Format the lines that fixes change by a command that takes a file, such as "ruff format".',
            show_default=False,
        ),
    ] = None
    target_torch: TargetTorch = None
    device_idiom: DeviceIdiom = None
    device_name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The name of an inserted device definition.")
    ] = None
    config: ConfigFile = None
    isolated: Isolated = False
    stdin_filename: StdinFilename = None
    quiet: Quiet = False
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Also name the configuration files, the number of files and the time."),
    ] = False
    show_files: Annotated[bool, typer.Option("--show-files", help="List the files that would be read, and end.")] = (
        False
    )
    show_settings: Annotated[
        bool, typer.Option("--show-settings", help="Print the settings that hold for the files, and end.")
    ] = False
    color: Color = "auto"
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", metavar="N", min=1, help="Processes for large runs (default: the CPUs).", show_default=False
        ),
    ] = None
    cache_dir: CacheDir = None
    no_cache: Annotated[
        bool, typer.Option("--no-cache", envvar="PLACEFIX_NO_CACHE", help="Neither use nor keep earlier results.")
    ] = False
    executor: Annotated[
        str,
        typer.Option(
            metavar="dask=ADDRESS", help="Let a dask cluster do the work; needs the extra `dask`.", show_default=False
        ),
    ] = ""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def with_run_options(function: "Callable[..., None]") -> "Callable[..., None]":
    """The command whose first parameter is RunOptions: typer sees its fields as parameters, after the command's own."""
    shared = {
        name: inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=getattr(RunOptions, name), annotation=kind
        )
        for name, kind in inspect.get_annotations(RunOptions).items()
    }
    own = list(inspect.signature(function).parameters.values())[1:]

    @functools.wraps(function)
    def run(**values: Any) -> None:
        """Call the command with the shared parameters in one object."""
        function(RunOptions(**{name: values.pop(name) for name in shared}), **values)

    parameters = [*(parameter.replace(kind=parameter.KEYWORD_ONLY) for parameter in own), *shared.values()]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run
