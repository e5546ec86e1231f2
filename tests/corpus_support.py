"""Ways for the tests to reach the corpus folder, and to skip or fail where it cannot be had."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from command import run

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from corpus import fetch, judge  # noqa: E402

__all__ = ["ROOT", "core_members", "fetch", "git", "judge", "placefix", "snapshot"]


def core_members() -> dict[str, bytes]:
    """The members of the core corpus by name. Skips the test where the index is out of reach
    and the cache is cold; fails it where CI is set."""
    try:
        archives = fetch.fetch()
    except fetch.UnreachableError as error:
        if os.environ.get("CI"):
            pytest.fail(f"the corpus is needed in CI: {error}")
        pytest.skip(f"no corpus: {error}")
    return {member.name: data for member, data in fetch.read_members(archives)}


def placefix(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """The command line in a process of its own."""
    return run(*arguments, cwd=cwd)


def git(*arguments: str, cwd: Path, stdin: bytes = b"") -> None:
    """git that converts nothing; fails the test with git's own words."""
    command = ["git", "-c", "core.autocrlf=false", "-c", "core.safecrlf=false", *arguments]
    done = subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-3000:]


def snapshot(folder: Path, names: Iterable[str]) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in names}
