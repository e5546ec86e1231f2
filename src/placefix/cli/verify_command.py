"""The command `verify`."""

# Not `from __future__ import annotations`: typer would compile every annotation at each start.

import re
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from placefix.cli.application import command
from placefix.cli.options import Parameters, one_of, with_options


class _VerifyCommand(TyperCommand):
    """Takes `-m MODULE`: all words after it belong to the module, as with python."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """End the options of `verify` after the value of -m."""
        own = args[: args.index("--")] if "--" in args else args
        for flag in ("-m", "--module"):
            if flag in own:
                end = own.index(flag) + 2
                return super().parse_args(ctx, [*args[:end], "--", *args[end:]])
        return super().parse_args(ctx, args)


def _byte_size(text: str, option: str) -> int:
    """The bytes of a size such as "16G", "512M" or "1000000". Raises BadParameter, with the option that has it."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    size = int(float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " ")) if found else 0
    if size <= 0:
        raise typer.BadParameter(f"{option}: {text!r} is not a size such as 16G")
    return size


class _VerifyParameters(Parameters):
    """The parameters of the command; an instance has their values as attributes."""

    script: Annotated[str | None, typer.Argument(metavar="SCRIPT", help="The script to run.", show_default=False)] = (
        None
    )
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[ARGS]...", help="Its arguments.", show_default=False)
    ] = None
    fix: Annotated[bool, typer.Option("--fix", help="Run the script before and after `apply`, and compare.")] = False
    gpus: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=8, help="Number of simulated GPUs (default: 1, then 2).", show_default=False
        ),
    ] = None
    device: Annotated[
        str,
        typer.Option(
            metavar="cuda|accelerator|auto",
            help="With --fix: how a new device definition chooses the device.",
            callback=one_of("cuda", "accelerator", "auto"),
        ),
    ] = "cuda"
    module: Annotated[
        str | None,
        typer.Option("--module", "-m", metavar="MODULE", help="Run a module, as `python -m` does.", show_default=False),
    ] = None
    nproc: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=8, help="Start N processes with the environment of torchrun.", show_default=False
        ),
    ] = None
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE", help="Memory of each device, such as 16G (default: not limited).", show_default=False
        ),
    ] = None
    output_format: Annotated[
        str, typer.Option(metavar="text|json", help="Format of the output.", callback=one_of("text", "json"))
    ] = "text"
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not show the output of the script.")] = False
    steps: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Stop after N optimizer steps.", show_default=False)
    ] = None
    timeout: Annotated[float, typer.Option(metavar="S", help="Time limit of one run, in seconds.")] = 300.0
    stub_data: Annotated[
        bool, typer.Option("--stub-data", help="Replace torchvision's datasets by small random data.")
    ] = False
    python: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Run the script with this Python and its torch.", show_default=False),
    ] = None
    setup: Annotated[
        bool, typer.Option("--setup", help="Make an environment with a CPU build of torch, and run nothing.")
    ] = False
    torch_from: Annotated[
        str | None,
        typer.Option(
            metavar="INDEX|FOLDER",
            envvar="PLACEFIX_TORCH_FROM",
            help="With --setup: the package index or the folder of wheels to install torch from.",
            show_default=False,
        ),
    ] = None
    yes: Annotated[bool, typer.Option("--yes", "-y", help="With --setup: do not ask.")] = False
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Run in the working directory itself, not in a copy for each run.")
    ] = False
    copy_limit: Annotated[
        str, typer.Option(metavar="SIZE", help="Copy at most so much for each run, and link larger files.")
    ] = "256M"
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="With --fix: also apply fixes that rely on a premise.")
    ] = False
    force: Annotated[bool, typer.Option("--force", help="Run on a system that the simulator was not tested on.")] = (
        False
    )


def _set_up(given: _VerifyParameters) -> int:
    """Make the environment of `--setup`; returns the exit code."""
    from placefix.report.output_stream import printable
    from placefix.simulate.client import CannotJudgeError
    from placefix.simulate.torch_environment import SetupError, set_up

    if given.script is not None or given.module is not None:
        raise typer.BadParameter("--setup runs no script")

    def confirm(sentence: str) -> bool:
        """Show a sentence, and ask unless --yes is given."""
        print(printable(sentence, terminal=True))
        return given.yes or (sys.stdin.isatty() and typer.confirm("Continue?"))

    try:
        folder = set_up(given.python, given.torch_from, confirm, print)
    except (SetupError, CannotJudgeError) as error:
        print(f"error: {printable(str(error), terminal=True)}", file=sys.stderr)
        return 2
    if folder is None:
        print("Nothing was installed; confirm, or give --yes.", file=sys.stderr)
        return 2
    use = f"`placefix verify --python {folder / 'bin' / 'python'}` uses it."
    if given.python is None:
        use = "`placefix verify` uses it if the torch beside placefix cannot be used."
    print(f"Done: the self-test passed. {use}")
    return 0


@command(cls=_VerifyCommand, context_settings={"allow_interspersed_args": False})
@with_options(_VerifyParameters)
def verify(given: _VerifyParameters) -> None:
    """Run a script on a simulated machine with CUDA devices. The script is executed, in a copy of the working directory.

    Exits 0 if the script ran clean, 1 on a device error, 2 if it could not be judged, 3 if it needs something that the
    simulator does not model. Needs the extra `verify`.
    """
    from placefix.report.output_stream import printable
    from placefix.simulate.verify import VerifyOptions
    from placefix.simulate.verify import verify as run

    if given.setup:
        raise typer.Exit(_set_up(given))
    words = [*([given.script] if given.module and given.script is not None else []), *(given.arguments or ())]
    if given.module is None and given.script is None:
        raise typer.BadParameter("give a script, or -m MODULE")
    options = VerifyOptions(
        fix=given.fix,
        gpus=given.gpus,
        idiom=given.device,
        steps=given.steps,
        timeout=given.timeout,
        memory=_byte_size(given.memory, "--memory") if given.memory else 0,
        processes=given.nproc or 0,
        stub_data=given.stub_data,
        unsafe=given.unsafe_fixes,
        force=given.force,
        quiet=given.quiet,
        json=given.output_format == "json",
        python=given.python,
        copy_limit=0 if given.in_place else _byte_size(given.copy_limit, "--copy-limit"),
    )

    def write(line: str) -> None:
        """Print a line of the report, without control characters."""
        print(printable(line, terminal=True))  # it may hold output and messages of the script

    raise typer.Exit(run(given.script or "", words, given.module or "", options, write))
