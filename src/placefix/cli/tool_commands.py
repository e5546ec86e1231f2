"""The commands that start something else: `server`, `verify`."""

# Not `from __future__ import annotations`: typer would compile every annotation at each start.

import sys
from typing import Annotated

import typer

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


@command(context_settings={"allow_interspersed_args": False})
def verify(
    script: Annotated[str, typer.Argument(metavar="SCRIPT", help="The script to run.", show_default=False)],
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[ARGS]...", help="Its arguments.", show_default=False)
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Run the script before and after `apply`, and compare.")] = False,
    gpus: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=8, help="Number of simulated GPUs (default: 1, then 2).", show_default=False
        ),
    ] = None,
    device: Annotated[
        str,
        typer.Option(
            metavar="cuda|accelerator|auto",
            help="With --fix: how a new device definition chooses the device.",
            callback=one_of("cuda", "accelerator", "auto"),
        ),
    ] = "cuda",
    steps: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Stop after N optimizer steps.", show_default=False)
    ] = None,
    timeout: Annotated[float, typer.Option(metavar="S", help="Time limit of one run, in seconds.")] = 300.0,
    stub_data: Annotated[
        bool, typer.Option("--stub-data", help="Replace torchvision's datasets by small random data.")
    ] = False,
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="With --fix: also apply fixes that rely on a premise.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Accept a torch version that the simulator was not tested with.")
    ] = False,
) -> None:
    """Run a script on a simulated machine with CUDA devices. The script is executed, with all its effects.

    Exits 0 if the script ran clean, 1 on a device error, 2 if it could not be judged. Needs the extra `verify`.
    """
    from placefix.report.output_stream import printable
    from placefix.simulate.verify import verify as run

    def write(line: str) -> None:
        """Print a line of the report, without control characters."""
        print(printable(line, terminal=True))  # it may hold output and messages of the script

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
            write=write,
        )
    )
