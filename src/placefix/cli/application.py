"""The application: its commands by name, each loaded and built at its first use."""

# Not `from __future__ import annotations`: typer would compile every annotation at each start.

import os
import sys
from collections import UserDict
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
import typer.core
import typer.main

import placefix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# The commands in the order of the help → the module that registers them.
_MODULES = {
    "check": "file_commands",
    "apply": "file_commands",
    "inventory": "file_commands",
    "undo": "history_commands",
    "clean": "history_commands",
    "server": "server_command",
    "rule": "information_commands",
    "explain": "information_commands",
    "schema": "information_commands",
    "verify": "verify_command",
    "migrate": "migrate_command",
    "completion": "information_commands",
}
_APPS: dict[str, typer.Typer] = {}
_UsageError: Any = typer.BadParameter.__base__
COMPLETE = "_PLACEFIX_COMPLETE"  # the variable by which a shell requests completions


def typer_of(name: str) -> typer.Typer:
    """The command of a name. Raises KeyError."""
    if name not in _APPS:
        import_module(f"placefix.cli.{_MODULES[name]}")
    return _APPS[name]


def commands() -> dict[str, typer.Typer]:
    """All commands by name, in the order of the help."""
    return {name: typer_of(name) for name in _MODULES}


class _Commands(UserDict[str, Any]):
    """The commands by name, each built at its first use."""

    def __getitem__(self, name: str) -> Any:
        return typer.main.get_command(typer_of(name))


class _Group(typer.core.TyperGroup):
    """Knows all commands without building them; typer by itself builds them all at each start."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands(_MODULES)

    def make_context(self, *words: Any, **settings: Any) -> Any:
        """The context of a command line; its usage errors are printable."""
        with _printable_errors():
            return super().make_context(*words, **settings)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; its usage errors are printable."""
        with _printable_errors():
            return super().invoke(ctx)


@contextmanager
def _printable_errors() -> "Iterator[None]":
    """Escape control characters in usage errors: they repeat words of the command line."""
    try:
        yield
    except _UsageError as error:
        from placefix.report.output_stream import printable

        error.message = "\n".join(printable(line, terminal=True) for line in error.message.split("\n"))
        raise


def _typer(**settings: Any) -> typer.Typer:
    # rich is for terminals only, and typer would import it for every error message.
    return typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        **settings,
    )


app = _typer(
    name="placefix",
    help="Repairs device placement in PyTorch scripts.",
    no_args_is_help=True,
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def command(**settings: Any) -> "Callable[[Callable[..., None]], Callable[..., None]]":
    """Register a function as the command of its name."""

    def register(function: "Callable[..., None]") -> "Callable[..., None]":
        """Register the command in an application of the function's name."""
        _APPS[function.__name__] = _typer()
        return _APPS[function.__name__].command(**settings)(function)

    return register


def main() -> NoReturn:
    """The command line of this process; `__main__` calls it."""
    if COMPLETE in os.environ:  # a shell requests completions, by the script that `completion` prints
        from typer._completion_classes import completion_init

        completion_init()
    try:
        app()
    except OSError as error:
        with suppress(OSError):  # writing to standard error may have failed
            from placefix.report.output_stream import printable

            reason = f"error: {error.filename or _subject_of_error()}: {error.strerror or error}"
            print(printable(reason, terminal=True), file=sys.stderr, flush=True)
    sys.exit(2)


def _subject_of_error() -> str:
    """The subject of an error that names no file: the working directory is gone, or a full disk takes no output."""
    try:
        os.getcwd()
    except OSError:
        return "the working directory"
    return "standard output"


def _version(wanted: bool) -> None:
    if wanted:
        print(f"placefix {placefix.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass
