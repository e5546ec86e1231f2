"""The client of the server: start it, send requests, stop it. Imports no torch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from placefix.simulate.request import ALLOCATION

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from placefix.simulate.request import Request


class CannotJudgeError(RuntimeError):
    """The run cannot be judged, for the given reason."""


class Simulator:
    """A running server. Use it in a `with` statement."""

    def __init__(self, *, python: str = sys.executable, force: bool = False) -> None:
        # A folder with nothing else: the one that placefix is in may have packages for another Python.
        self._packages = tempfile.TemporaryDirectory(prefix="placefix-")
        Path(self._packages.name, "placefix").symlink_to(Path(__file__).parents[1].resolve(), target_is_directory=True)
        paths = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
        path = os.pathsep.join([self._packages.name, *paths])
        environment = {**ALLOCATION, **os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}
        command = [python, "-m", "placefix.simulate.fork_server", *(["--force"] if force else [])]
        # Python puts the working directory of `-m` first in its path: there a module of the user must not replace one of Python's.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
            cwd=self._packages.name,
        )  # fmt: skip
        line = self._line()
        answer: dict[str, Any] = json.loads(line) if line else {"ready": False, "reason": self._died()}
        self.untried_torch: str | None = answer.get("untried")  # the version, if the simulator was not tried on it
        if not answer["ready"]:
            self.close()
            raise CannotJudgeError(answer["reason"])

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def _died(self) -> str:
        assert self._process.stderr is not None
        said = self._process.stderr.read().strip().splitlines()[-1:]
        return f"the simulator did not start: {''.join(said) or f'exit {self._process.wait()}'}"

    def run(self, request: Request, on_event: Callable[[dict[str, Any]], None] | None = None) -> dict[str, Any]:
        """Run one script and return the report on it. Raises CannotJudgeError. on_event: called with each event of a request that streams."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(request.to_json() + "\n")
            self._process.stdin.flush()
            while line := self._line():
                message: dict[str, Any] = json.loads(line)
                if "refused" in message:
                    raise CannotJudgeError(message["refused"])
                if "event" not in message:
                    return message
                if on_event is not None:
                    on_event(message)
        except OSError:
            pass
        raise CannotJudgeError(self._died())

    def close(self) -> None:
        """Stop the server."""
        if self._process.poll() is None:
            self._process.terminate()  # it may wait for a script
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        self._process.wait()
        self._packages.cleanup()

    def __enter__(self) -> Simulator:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
