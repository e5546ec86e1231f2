"""The command line: options, exit codes and the summary; everything else is imported when needed.

Exit codes: 0 nothing found, or done, 1 findings (check) or a diff (apply --diff), 2 error.
"""

# Not `from __future__ import annotations`: typer would compile every annotation at each start.

import os
import sys
from collections import UserDict
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
import typer.core
import typer.main

import placefix

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from placefix.config import Options
    from placefix.diagnostic import Rule
    from placefix.report.stream import Stream
    from placefix.session import Means, Session


class _Commands(UserDict[str, Any]):
    """The commands by name, each built when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        return typer.main.get_command(self.data[name])


class _Group(typer.core.TyperGroup):
    """Knows all commands without building them; typer by itself builds them all at each start."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands(_APPS)


def _typer(**settings: Any) -> typer.Typer:
    # rich is for terminals only, and typer would import it for every error message.
    return typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None, **settings)


app = _typer(name="placefix", help="Repairs device placement in PyTorch scripts.", no_args_is_help=True, cls=_Group)
_APPS: dict[str, typer.Typer] = {}
_COMPLETE = "_PLACEFIX_COMPLETE"


def _command(**settings: Any) -> "Callable[[Callable[..., None]], Callable[..., None]]":
    """Register a function as the command of its name."""

    def register(function: "Callable[..., None]") -> "Callable[..., None]":
        _APPS[function.__name__] = _typer()
        return _APPS[function.__name__].command(**settings)(function)

    return register


def main() -> NoReturn:
    """The command line of this process; `__main__` calls it."""
    if _COMPLETE in os.environ:  # a shell asks for what fits, by the script that `completion` prints
        from typer._completion_classes import completion_init

        completion_init()
    try:
        app()
    except OSError as error:
        with suppress(OSError):  # standard error may be what cannot be written
            from placefix.report.stream import printable

            reason = f"error: {error.filename or _unnamed()}: {error.strerror or error}"
            print(printable(reason, terminal=True), file=sys.stderr, flush=True)
    sys.exit(2)


def _unnamed() -> str:
    """What an error is about that names no file: the working directory is gone, or a full disk takes no output."""
    try:
        os.getcwd()
    except OSError:
        return "the working directory"
    return "standard output"


def _choice(*values: str) -> "Callable[[str | None], str | None]":
    def check(value: str | None) -> str | None:
        if value is not None and value not in values:
            raise typer.BadParameter(f"{value!r} is not one of {', '.join(values)}")
        return value

    return check


def _version(wanted: bool) -> None:
    if wanted:
        print(f"placefix {placefix.__version__}")
        raise typer.Exit


Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PATHS]...", help="Files and folders (default: .), or - for standard input.", show_default=False
    ),
]
Select = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CODES",
        help="Only these rules: codes or prefixes, separated by commas. Replaces the configuration's select and ignore.",
    ),
]
Ignore = Annotated[list[str] | None, typer.Option(metavar="CODES", help="Not these rules.")]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATTERN", help="Leave out what matches a .gitignore pattern when searching folders; may be repeated."
    ),
]
ForceExclude = Annotated[
    bool,
    typer.Option("--force-exclude", help="Leave out what is excluded though it is named, as pre-commit names files."),
]
UnsafeFixes = Annotated[
    bool | None,
    typer.Option(
        "--unsafe-fixes/--no-unsafe-fixes", help="Also fixes whose premise is not proven.", show_default=False
    ),
]
AddPlacement = Annotated[
    bool | None,
    typer.Option(
        "--add-placement/--no-add-placement",
        help="Also place scripts that place nothing at all (PF501).",
        show_default=False,
    ),
]
OutputFormat = Annotated[
    str,
    typer.Option(
        metavar="full|concise|json|json-lines|sarif|github|gitlab|junit",
        help="How findings are written.",
        callback=_choice("full", "concise", "json", "json-lines", "sarif", "github", "gitlab", "junit"),
    ),
]
OutputFile = Annotated[
    str | None,
    typer.Option("--output-file", "-o", metavar="FILE", help="Write to FILE what would go to standard output."),
]
Report = Annotated[
    str | None, typer.Option(metavar="FILE.html", help="Also write a page to look through, complete in one file.")
]
BaseRef = Annotated[
    str | None,
    typer.Option(
        metavar="REV",
        help="Only findings on lines changed in the git work tree since the commit REV, or not committed: their own lines, "
        "not those that their fix changes.",
        show_default=False,
    ),
]
TargetTorch = Annotated[
    str | None, typer.Option(metavar="X.Y", help="The oldest torch that the repaired code must run on.")
]
DeviceIdiom = Annotated[
    str | None, typer.Option(metavar="cuda|accelerator", help="How an inserted device definition finds the device.")
]
DeviceName = Annotated[str | None, typer.Option(metavar="NAME", help="The name of an inserted device definition.")]
ConfigFile = Annotated[
    str | None, typer.Option("--config", metavar="FILE", help="Use this configuration file and no other.")
]
Isolated = Annotated[bool, typer.Option("--isolated", help="Use no configuration file.")]
StdinFilename = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The name to give to standard input, and the place to look for its configuration."
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No summary, no progress; findings, diffs and errors only.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", metavar="N", min=1, help="Processes for large runs (default: the CPUs).", show_default=False
    ),
]
CacheDir = Annotated[
    str | None,
    typer.Option(metavar="FOLDER", envvar="PLACEFIX_CACHE_DIR", help="Where results are kept.", show_default=False),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither use nor keep earlier results.")]
Executor = Annotated[
    str,
    typer.Option(
        metavar="dask=ADDRESS", help="Let a dask cluster do the work; needs the extra `dask`.", show_default=False
    ),
]
AllowDirty = Annotated[
    bool, typer.Option("--allow-dirty", help="Also write files with uncommitted changes that were found in a folder.")
]
Color = Annotated[
    str, typer.Option(metavar="auto|always|never", help="Colours.", callback=_choice("auto", "always", "never"))
]


class _Check(typer.core.TyperCommand):
    """Takes `--add-ignore` without a value: what follows it is a path."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        return super().parse_args(ctx, [f"{arg}=" if arg == "--add-ignore" else arg for arg in args[:end]] + args[end:])


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@_command(cls=_Check)
def check(
    paths: Paths = None,
    select: Select = None,
    ignore: Ignore = None,
    exclude: Exclude = None,
    force_exclude: ForceExclude = False,
    unsafe_fixes: UnsafeFixes = None,
    add_placement: AddPlacement = None,
    base_ref: BaseRef = None,
    output_format: OutputFormat = "full",
    output_file: OutputFile = None,
    statistics: Annotated[bool, typer.Option("--statistics", help="Count the findings of each rule instead.")] = False,
    preview: Annotated[
        bool,
        typer.Option("--preview", help="Also list, as notes, what `apply` would find and fix after its first fixes."),
    ] = False,
    add_ignore: Annotated[
        str | None,
        typer.Option(
            "--add-ignore",
            metavar="[=REASON]",
            help="Write comments that silence what is found, with a reason; `placefix undo` takes them back.",
            show_default=False,
        ),
    ] = None,
    allow_dirty: AllowDirty = False,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="Exit 0 with findings too; 2 on error all the same.")
    ] = False,
    report: Report = None,
    target_torch: TargetTorch = None,
    device_idiom: DeviceIdiom = None,
    device_name: DeviceName = None,
    config: ConfigFile = None,
    isolated: Isolated = False,
    stdin_filename: StdinFilename = None,
    quiet: Quiet = False,
    color: Color = "auto",
    jobs: Jobs = None,
    cache_dir: CacheDir = None,
    no_cache: NoCache = False,
    executor: Executor = "",
) -> None:
    """Report what is wrong; write nothing but what --add-ignore asks for. Exits 0 if nothing is found, 1 with findings, 2 on error."""
    if statistics:
        from placefix.report.statistics import FORMATS

        if output_format not in FORMATS:
            raise typer.BadParameter(f"--statistics are written as {', '.join(FORMATS)}")
    if add_ignore is not None:
        if statistics or preview or "-" in (paths or ()):
            raise typer.BadParameter(
                "--add-ignore writes files: it goes neither with --statistics or --preview nor with - (standard input)"
            )
        if not add_ignore.isprintable():
            raise typer.BadParameter("the reason of --add-ignore has to be one line")
    elif allow_dirty:
        raise typer.BadParameter("--allow-dirty is for --add-ignore")
    options = _options(select, ignore, exclude, target_torch, device_idiom, device_name, unsafe_fixes, add_placement)
    options = options._replace(force_exclude=force_exclude)
    means = _means(jobs, cache_dir, no_cache, executor, quiet, allow_dirty)
    session = _session(paths, options, config, isolated, stdin_filename, means, color, output_file, report, base_ref)
    if add_ignore is not None:
        code = session.add_ignore(output_format, add_ignore.strip())
    else:
        code = session.check(output_format, statistics=statistics, preview=preview)
    raise typer.Exit(0 if exit_zero and code == 1 else code)


@_command()
def apply(
    paths: Paths = None,
    diff: Annotated[bool, typer.Option("--diff", help="Write no file; print a unified diff instead.")] = False,
    interactive: Annotated[
        bool, typer.Option("--interactive", "-i", help="Ask about each fix, as `git add -p` does; needs a terminal.")
    ] = False,
    select: Select = None,
    ignore: Ignore = None,
    exclude: Exclude = None,
    force_exclude: ForceExclude = False,
    unsafe_fixes: UnsafeFixes = None,
    add_placement: AddPlacement = None,
    base_ref: BaseRef = None,
    output_format: OutputFormat = "full",
    output_file: OutputFile = None,
    report: Report = None,
    target_torch: TargetTorch = None,
    device_idiom: DeviceIdiom = None,
    device_name: DeviceName = None,
    config: ConfigFile = None,
    isolated: Isolated = False,
    stdin_filename: StdinFilename = None,
    quiet: Quiet = False,
    color: Color = "auto",
    jobs: Jobs = None,
    cache_dir: CacheDir = None,
    no_cache: NoCache = False,
    executor: Executor = "",
    allow_dirty: AllowDirty = False,
    exit_non_zero_on_fix: Annotated[
        bool, typer.Option("--exit-non-zero-on-fix", help="Exit 1 if a file was changed.")
    ] = False,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="With --diff: exit 0 even if there is a diff.")
    ] = False,
    split_by: Annotated[
        str | None,
        typer.Option(
            metavar="dir|rule|owner",
            help="With --diff: a series of patches with descriptions, by top folder, rule or CODEOWNERS.",
            callback=_choice("dir", "rule", "owner"),
            show_default=False,
        ),
    ] = None,
    output_dir: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Where --split-by writes; must be empty or not there.", show_default=False),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the patches of an earlier run in --output-dir.")
    ] = False,
) -> None:
    """Apply the safe fixes, in place. Exits 0 when done, 2 on error; with --diff 1 if there is a diff."""
    if split_by is not None or output_dir is not None or force:
        _require_series(paths, split_by, output_dir, diff=diff, output_file=output_file)
    if interactive:
        _require_person(paths, diff=diff, output_file=output_file)
    if exit_zero and not diff:
        raise typer.BadParameter("--exit-zero is for --diff")
    options = _options(select, ignore, exclude, target_torch, device_idiom, device_name, unsafe_fixes, add_placement)
    options = options._replace(force_exclude=force_exclude)
    means = _means(jobs, cache_dir, no_cache, executor, quiet, allow_dirty)
    session = _session(paths, options, config, isolated, stdin_filename, means, color, output_file, report, base_ref)
    if interactive:
        code = session.interactive(sys.stdin.readline)
    elif split_by is not None and output_dir is not None:
        code = session.split(split_by, output_dir, force=force)
    else:
        code = session.diff() if diff else session.apply(output_format)
    if exit_zero and code == 1:
        code = 0
    raise typer.Exit(1 if exit_non_zero_on_fix and code == 0 and session.changed else code)


@_command()
def inventory(
    paths: Paths = None,
    exclude: Exclude = None,
    output_format: Annotated[
        str,
        typer.Option(
            metavar="table|json|markdown",
            help="How the inventory is written.",
            callback=_choice("table", "json", "markdown"),
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
    """Say what ties the code to CUDA, use by use, and what `apply` does about it; write nothing. Exits 0, 2 on error."""
    options = _options(None, None, exclude, target_torch, device_idiom, None, None)
    session = _session(paths, options, config, isolated, stdin_filename, _means(None, None, True, "", quiet), color)
    raise typer.Exit(session.inventory(output_format))


@_command()
def undo() -> None:
    """Take back the last apply in this repository (or folder). Exits 0 when done, 2 where a file has changed since."""
    from placefix import journal
    from placefix.batch import RunError
    from placefix.report.stream import counted

    out = _stream("never")
    try:
        restored = journal.undo(journal.default_folder(), journal.home(os.getcwd()))
    except RunError as error:
        out.error("", str(error))
        raise typer.Exit(2) from None
    out.note(f"Restored {counted(len(restored), 'file')}.")


@_command()
def clean(cache_dir: CacheDir = None) -> None:
    """Remove the results that earlier runs have kept."""
    from placefix import cache
    from placefix.report.stream import counted

    folder = cache_dir or cache.default_folder()
    count = cache.clean(folder)
    print(f"Removed {counted(count, 'cache file')} from {folder}.")


@_command()
def server() -> None:
    """Serve an editor over standard input and output (the language server protocol). Needs the extra `server`."""
    from importlib.util import find_spec

    if find_spec("pygls") is None:
        print("error: `placefix server` needs pygls: pip install 'placefix[server]'", file=sys.stderr)
        raise typer.Exit(2)
    from placefix.server import serve

    serve()


@_command()
def rule(
    code: Annotated[str | None, typer.Argument(metavar="[CODE]", show_default=False)] = None,
    every: Annotated[bool, typer.Option("--all", help="List all rules.")] = False,
    color: Color = "auto",
) -> None:
    """Explain a rule, or list them all."""
    from placefix.report import rules as pages
    from placefix.rules import RULES

    if (code is None) == (not every):
        raise typer.BadParameter("give a rule's code, or --all")
    out = _stream(color)
    if code is None:
        pages.catalogue(RULES, out)
    else:
        pages.explain(_rule(code, RULES), out)
    out.flush()
    raise typer.Exit(2 if out.errors else 0)


@_command()
def explain(
    place: Annotated[
        str,
        typer.Argument(
            metavar="FILE:LINE", help="A line of a file, or FILE:CELL:LINE of a notebook.", show_default=False
        ),
    ],
    output_format: Annotated[
        str, typer.Option(metavar="text|json", help="How it is written.", callback=_choice("text", "json"))
    ] = "text",
    config: ConfigFile = None,
    isolated: Isolated = False,
    color: Color = "auto",
) -> None:
    """Show what placefix believes at a line: each value, where it is, since when, and what is assumed. Exits 0, 2 on error."""
    import re

    from placefix.config import ConfigError, Configs
    from placefix.explain import ExplainError, explain_line
    from placefix.report import explanation

    parts = re.fullmatch(r"(?s)(.+?)(?::(\d{1,9}))?:(\d{1,9})", place)
    if parts is None:
        raise typer.BadParameter("give FILE:LINE, or FILE:CELL:LINE for a notebook")
    out = _stream(color)
    try:
        cell = int(parts[2]) if parts[2] else None
        found = explain_line(parts[1], int(parts[3]), cell, Configs(file=config, isolated=isolated))
    except (ConfigError, ExplainError) as error:
        out.error("" if isinstance(error, ConfigError) else parts[1], str(error))
    else:
        explanation.render(found, output_format, out)
    out.flush()
    raise typer.Exit(2 if out.errors else 0)


@_command()
def schema() -> None:
    """Print the JSON Schema of the configuration, which lets editors complete and check placefix.toml."""
    import json

    from placefix import schema as configuration

    print(json.dumps(configuration.schema(), indent=2))


@_command(context_settings={"allow_interspersed_args": False})
def verify(
    script: Annotated[str, typer.Argument(metavar="SCRIPT", help="The script to run.", show_default=False)],
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[ARGS]...", help="Its arguments.", show_default=False)
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Run it as it is and as `apply` would leave it, and compare.")
    ] = False,
    gpus: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=8, help="How many devices to simulate (default: 1, then 2).", show_default=False
        ),
    ] = None,
    device: Annotated[
        str,
        typer.Option(
            metavar="cuda|accelerator",
            help="With --fix: how an inserted device definition finds the device.",
            callback=_choice("cuda", "accelerator"),
        ),
    ] = "cuda",
    steps: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Stop after N optimizer steps.", show_default=False)
    ] = None,
    timeout: Annotated[float, typer.Option(metavar="S", help="Seconds that one run may take.")] = 300.0,
    stub_data: Annotated[
        bool, typer.Option("--stub-data", help="Small random data in the place of torchvision's datasets.")
    ] = False,
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="With --fix: also fixes whose premise is not proven.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Try a torch that the simulator was not tested on.")] = False,
) -> None:
    """Run a script on a simulated machine with CUDA devices. It is executed, with all that it does.

    Exits 0 if it ran clean, 1 on a device error, 2 if it could not be judged. Needs the extra `verify`.
    """
    from placefix.simulate.verify import verify as run

    raise typer.Exit(
        run(
            script,
            arguments or (),
            fix=fix,
            gpus=gpus,
            idiom=device,
            steps=steps,
            timeout=timeout,
            stub_data=stub_data,
            unsafe=unsafe_fixes,
            force=force,
            write=print,
        )
    )


@_command()
def completion(
    shell: Annotated[
        str, typer.Argument(metavar="bash|zsh|fish|powershell", callback=_choice("bash", "zsh", "fish", "powershell"))
    ],
) -> None:
    """Print the script that lets a shell complete placefix's commands and options: `eval "$(placefix completion bash)"`."""
    from typer._completion_shared import get_completion_script

    print(get_completion_script(prog_name="placefix", complete_var=_COMPLETE, shell=shell))


def _require_series(
    paths: list[str] | None, split_by: str | None, output_dir: str | None, *, diff: bool, output_file: str | None
) -> None:
    """End the run unless what makes a series of patches is all there."""
    if split_by is None or output_dir is None or not diff:
        raise typer.BadParameter("a series of patches takes --diff, --split-by and --output-dir")
    if output_file is not None or "-" in (paths or ()):
        raise typer.BadParameter("--split-by goes with neither --output-file nor - (standard input)")


def _require_person(paths: list[str] | None, *, diff: bool, output_file: str | None) -> None:
    """End the run unless somebody can be asked."""
    if diff or output_file is not None or "-" in (paths or ()):
        raise typer.BadParameter("--interactive goes with neither --diff nor --output-file nor - (standard input)")
    if sys.stdin is None or not sys.stdin.isatty():
        _stream("never").error("", "--interactive asks on a terminal, and standard input is none")
        raise typer.Exit(2)


def _rule(code: str, rules: "tuple[Rule, ...]") -> "Rule":
    for rule in rules:
        if code.upper() == rule.code or code == rule.name:
            return rule
    raise typer.BadParameter(f"no rule {code!r} (`placefix rule --all` lists them)")


def _options(
    select: list[str] | None,
    ignore: list[str] | None,
    exclude: list[str] | None,
    target_torch: str | None,
    device_idiom: str | None,
    device_name: str | None,
    unsafe_fixes: bool | None,
    add_placement: bool | None = None,
) -> "Options":
    from placefix.config import Options

    return Options(
        select=None if select is None else _codes(select),
        ignore=_codes(ignore or ()),
        exclude=tuple(exclude or ()),
        target_torch=target_torch,
        device_idiom=device_idiom,
        device_name=device_name,
        unsafe_fixes=unsafe_fixes,
        add_placement=add_placement,
    )


def _codes(values: "Sequence[str]") -> tuple[str, ...]:
    return tuple(code.strip().upper() for value in values for code in value.split(","))


def _session(
    paths: list[str] | None,
    options: "Options",
    config: str | None,
    isolated: bool,
    stdin_filename: str | None,
    means: "Means",
    color: str,
    output_file: str | None = None,
    page: str | None = None,
    base_ref: str | None = None,
) -> "Session":
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
    out = _stream(color, output_file)
    try:
        configs = Configs(options, file=config, isolated=isolated)
    except ConfigError as error:
        out.error("", str(error))
        raise typer.Exit(2) from None
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    name = (stdin_filename or STDIN) if stdin else None
    return Session(paths or [os.curdir], configs, out, stdin_name=name, means=means, page=page, base_ref=base_ref)


def _means(
    jobs: int | None, cache_dir: str | None, no_cache: bool, executor: str, quiet: bool, allow_dirty: bool = False
) -> "Means":
    from placefix.session import Means

    return Means(jobs or 0, None if no_cache else cache_dir or "", executor, quiet, allow_dirty)


def _stream(color: str, file: str | None = None) -> "Stream":
    from placefix.report.stream import Stream

    return Stream(colour=_colour(color, file is not None), file=file)


def _colour(color: str, to_file: bool = False) -> bool:
    """Whether to colour: as asked, never a file by itself, then NO_COLOR and FORCE_COLOR, then whether a terminal reads."""
    if color != "auto" or to_file:
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
