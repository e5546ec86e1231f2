"""`--format-with`: the user's formatter over the lines that fixes have changed.

The formatter works on a copy in the same folder, so that it finds its configuration and the file is written once. Changes of other
lines are dropped; all changes are dropped if the syntax tree would differ.
"""

from __future__ import annotations

import ast
import os
import shlex
import subprocess
from difflib import SequenceMatcher
from shutil import which
from typing import TYPE_CHECKING

from placefix import engine, runner
from placefix.discover import Target
from placefix.engine import Changed
from placefix.runner import RunError

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.runner import FileResult, Repositories
    from placefix.source import Source

_SECONDS = 60.0  # that a formatter may take for a file


class CodeFormatter:
    """A command that formats the files that it is given, such as `ruff format`.

    warn: called with the reason, one line, if a file is not formatted. Raises RunError for a command that does not exist.
    """

    def __init__(self, command: str, warn: Callable[[str], None]) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise RunError(f"--format-with {command}: {error}") from None
        if not self._words or which(self._words[0]) is None:
            raise RunError(f"--format-with {command}: no such command")
        self._command = command
        self._warn = warn

    def formatted(self, result: FileResult, repositories: Repositories) -> FileResult:
        """The result with its changed lines formatted; its findings are then those of the new text."""
        source, outcome, target = result.source, result.outcome, result.target
        if not isinstance(outcome, Changed) or source is None or not isinstance(target, Target):
            return result
        if runner.is_notebook(target.path):
            return result
        try:
            text = self._text(source, outcome.text, target)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            self._warn(f"warning: {result.path}: not formatted: {' '.join(str(error).split())}")
            return result
        if text == outcome.text:
            return result
        remaining = runner.check_bytes(target, source.encode(text), repositories).outcome
        if not isinstance(remaining, engine.Unchanged):
            return result
        return result._replace(outcome=outcome._replace(text=text, remaining=remaining.remaining))

    def _text(self, source: Source, fixed: str, target: Target) -> str:
        """The fixed text, formatted where the fixes have changed it. Raises OSError, SubprocessError and ValueError."""
        data = self._run(source.encode(fixed), target.absolute)
        text = _joined(source.text, fixed, runner.decode_target(target, data).text)
        if ast.dump(ast.parse(text)) != ast.dump(ast.parse(fixed)):
            raise ValueError(f"`{self._command}` changes the program in these lines")
        return text

    def _run(self, data: bytes, path: str) -> bytes:
        """The bytes of a file after the formatter."""
        folder, name = os.path.split(path)
        copy = os.path.join(folder, f".placefix-{os.getpid()}-{name}")  # `undo` removes it after a kill
        try:
            with open(copy, "xb") as stream:
                stream.write(data)
            words = [*self._words, copy]
            done = subprocess.run(words, capture_output=True, cwd=os.getcwd(), timeout=_SECONDS, check=False)
            if done.returncode:
                said = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
                raise ValueError(f"`{self._command}` ends with {done.returncode}: {said[-1] if said else ''}")
            with open(copy, "rb") as stream:
                return stream.read()
        finally:
            if os.path.exists(copy):
                os.unlink(copy)


def _joined(before: str, fixed: str, formatted: str) -> str:
    """The fixed text, with the changes of the formatter that touch lines which the fixes have changed."""
    old, new, done = (text.split("\n") for text in (before, fixed, formatted))
    changed: set[int] = set()
    for tag, _, _, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            changed.update(range(start, end) if start < end else (start - 1, start))
    lines: list[str] = []
    for tag, start, end, first, last in SequenceMatcher(None, new, done, autojunk=False).get_opcodes():
        if tag == "replace" and end - start == last - first:  # the same number of lines: each replaces one
            lines += (done[first + i - start] if i in changed else new[i] for i in range(start, end))
            continue
        touched = changed.intersection(range(start, end) if start < end else (start - 1, start))
        lines += done[first:last] if tag == "equal" or touched else new[start:end]
    return "\n".join(lines)
