"""The commands that start something else: `server`, `verify`."""

# Not `from __future__ import annotations`: typer would compile every annotation at each start.

import re
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from placefix.cli.application import command
from placefix.cli.options import one_of


@command()
def server() -> None:
    """Run the language server. It uses standard input and output, and needs the extra `server`."""
    from importlib.util import find_spec

    if find_spec("pygls") is None:
        print("error: `placefix server` needs pygls: pip install 'placefix[server]'", file=sys.stderr)
        raise typer.Exit(2)
    from placefix.server import serve

    serve()


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


def _byte_size(text: str | None) -> int:
    """The bytes of a size such as "16G", "512M" or "1000000"; 0 without one."""
    if text is None:
        return 0
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    size = int(float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " ")) if found else 0
    if size <= 0:
        raise typer.BadParameter(f"--memory: {text!r} is not a size such as 16G")
    return size


_Script = Annotated[str | None, typer.Argument(metavar="SCRIPT", help="The script to run.", show_default=False)]
_Arguments = Annotated[list[str] | None, typer.Argument(metavar="[ARGS]...", help="Its arguments.", show_default=False)]
_Fix = Annotated[bool, typer.Option("--fix", help="Run the script before and after `apply`, and compare.")]
_Gpus = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=8, help="Number of simulated GPUs (default: 1, then 2).", show_default=False),
]
_Device = Annotated[
    str,
    typer.Option(
        metavar="cuda|accelerator|auto",
        help="With --fix: how a new device definition chooses the device.",
        callback=one_of("cuda", "accelerator", "auto"),
    ),
]
_Module = Annotated[
    str | None,
    typer.Option("--module", "-m", metavar="MODULE", help="Run a module, as `python -m` does.", show_default=False),
]
_Nproc = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, max=8, help="Start N processes with the environment of torchrun.", show_default=False
    ),
]
_Memory = Annotated[
    str | None,
    typer.Option(metavar="SIZE", help="Memory of each device, such as 16G (default: not limited).", show_default=False),
]
_OutputFormat = Annotated[
    str, typer.Option(metavar="text|json", help="Format of the output.", callback=one_of("text", "json"))
]
_Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Do not show the output of the script.")]
_Steps = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Stop after N optimizer steps.", show_default=False)
]
_Timeout = Annotated[float, typer.Option(metavar="S", help="Time limit of one run, in seconds.")]
_StubData = Annotated[bool, typer.Option("--stub-data", help="Replace torchvision's datasets by small random data.")]
_UnsafeFixes = Annotated[
    bool, typer.Option("--unsafe-fixes", help="With --fix: also apply fixes that rely on a premise.")
]
_Force = Annotated[bool, typer.Option("--force", help="Run on a system that the simulator was not tested on.")]


@command(cls=_VerifyCommand, context_settings={"allow_interspersed_args": False})
def verify(
    script: _Script = None,
    arguments: _Arguments = None,
    fix: _Fix = False,
    gpus: _Gpus = None,
    device: _Device = "cuda",
    module: _Module = None,
    nproc: _Nproc = None,
    memory: _Memory = None,
    output_format: _OutputFormat = "text",
    quiet: _Quiet = False,
    steps: _Steps = None,
    timeout: _Timeout = 300.0,
    stub_data: _StubData = False,
    unsafe_fixes: _UnsafeFixes = False,
    force: _Force = False,
) -> None:
    """Run a script on a simulated machine with CUDA devices. The script is executed, with all its effects.

    Exits 0 if the script ran clean, 1 on a device error, 2 if it could not be judged, 3 if it needs something that the
    simulator does not model. Needs the extra `verify`.
    """
    from placefix.report.output_stream import printable
    from placefix.simulate.verify import VerifyOptions
    from placefix.simulate.verify import verify as run

    words = [*([script] if module and script is not None else []), *(arguments or ())]
    if module is None and script is None:
        raise typer.BadParameter("give a script, or -m MODULE")

    def write(line: str) -> None:
        """Print a line of the report, without control characters."""
        print(printable(line, terminal=True))  # it may hold output and messages of the script

    raise typer.Exit(
        run(
            script or "",
            words,
            module or "",
            VerifyOptions(
                fix=fix,
                gpus=gpus,
                idiom=device,
                steps=steps,
                timeout=timeout,
                memory=_byte_size(memory),
                processes=nproc or 0,
                stub_data=stub_data,
                unsafe=unsafe_fixes,
                force=force,
                quiet=quiet,
                json=output_format == "json",
            ),
            write,
        )
    )
