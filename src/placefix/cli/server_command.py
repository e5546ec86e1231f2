"""The command `server`."""

# Not `from __future__ import annotations`: typer would compile every annotation at each start.

import sys

import typer

from placefix.cli.application import command


@command()
def server() -> None:
    """Run the language server. It uses standard input and output, and needs the extra `server`."""
    from importlib.util import find_spec

    if find_spec("pygls") is None:
        print("error: `placefix server` needs pygls: pip install 'placefix[server]'", file=sys.stderr)
        raise typer.Exit(2)
    from placefix.server import serve

    serve()
