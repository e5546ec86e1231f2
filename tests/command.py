"""`placefix` as its users run it, for the tests. Run as a program it is the command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import forks


def run(
    *args: str | os.PathLike[str],
    cwd: str | os.PathLike[str],
    stdin: bytes = b"",
    env: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run `placefix ARGS` to its end, in a fork; `stdin` is its input, `env` what is added to the environment."""
    program = Path(__file__).resolve()
    return forks.run(program, [*map(os.fspath, args)], cwd=cwd, env={**os.environ, **(env or {})}, stdin=stdin)


def run_text(
    *args: str, cwd: str | os.PathLike[str], env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The same, with the output as text."""
    done = run(*args, cwd=cwd, env=env)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        forks.serve()
    from placefix.cli import main

    sys.argv[0] = "placefix"
    main()
