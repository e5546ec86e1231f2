"""What the commands share: placefix's engine behind libcst's interface."""

from __future__ import annotations

import os
from abc import ABC
from typing import TYPE_CHECKING, ClassVar

import libcst as cst
from libcst.codemod import CodemodCommand, CodemodContext, SkipFile

from placefix import runner
from placefix.config import Configs, Options
from placefix.discover import Target
from placefix.engine import Failed, Skipped

if TYPE_CHECKING:
    import argparse


class FixFailedError(Exception):
    """placefix itself failed on the file, which stays as it is; the message is one line."""


class Verbatim(cst.Module):
    """A module that prints given bytes.

    libcst does not print every file as it was (it drops some form feeds, and a lone carriage
    return at the end), so what the engine made must not go through its tree again.
    """

    def __init__(self, data: bytes, encoding: str) -> None:
        super().__init__(body=(), encoding=encoding)
        object.__setattr__(self, "data", data)

    @property
    def bytes(self) -> bytes:
        data: bytes = self.__dict__["data"]
        return data

    @property
    def code(self) -> str:
        return self.bytes.decode(self.encoding)


class PlacefixCommand(CodemodCommand, ABC):
    """Applies the safe fixes of the rules in SELECT, under the file's own configuration.

    libcst finds the files (its own search: no .gitignore, no excludes) and writes them. A file
    that cannot be analysed is skipped with the reason; a failure leaves it as it is.
    """

    # Codes or prefixes of rules; None: all rules that the configuration selects.
    SELECT: ClassVar[tuple[str, ...] | None] = None

    def __init__(self, context: CodemodContext, unsafe_fixes: bool = False) -> None:
        super().__init__(context)
        self._options = Options(select=self.SELECT, unsafe_fixes=unsafe_fixes or None)

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Add the options of the command line."""
        arg_parser.add_argument("--unsafe-fixes", action="store_true", help="Apply fixes whose premise is not proven.")

    def transform_module(self, tree: cst.Module) -> cst.Module:
        """The fixed module. No metadata is computed: the engine reads the text."""
        return self.transform_module_impl(tree)

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """The module that prints the fixed text.

        The text is read from the context's file, which libcst's tree does not always give
        back, or printed from the tree where there is none. Raises SkipFile and FixFailedError.
        """
        name = self.context.filename
        if name is not None and os.path.isfile(name):
            with open(name, "rb") as stream:
                data = stream.read()
        else:
            data = tree.bytes
        path = os.path.abspath(name or "stdin.py")
        result = runner.fix_bytes(Target(name or "-", path, Configs(self._options).at(os.path.dirname(path))), data)
        if isinstance(result.outcome, Skipped):
            raise SkipFile(result.outcome.reason)
        if isinstance(result.outcome, Failed):
            raise FixFailedError(result.outcome.error)
        return Verbatim(result.before_after()[1] if result.source is not None else data, tree.encoding)
