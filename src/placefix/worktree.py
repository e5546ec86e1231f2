"""What git says about files. It is asked only when there is something to ask about."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from typing import TYPE_CHECKING

from placefix.batch import RunError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_MANY = 200  # paths: more than these are not named to git, whose answer is searched instead
_SHOWN = 5


@cache
def top(folder: str) -> str:
    """The top of the git work tree around an absolute folder; "" outside of any."""
    if os.path.lexists(os.path.join(folder, ".git")):
        return folder
    parent = os.path.dirname(folder)
    return "" if parent == folder else top(parent)


def require_clean(paths: Iterable[str]) -> None:
    """Raises RunError where one of the absolute `paths` has changes that are not committed, or is not known to git."""
    by_tree: dict[str, list[str]] = {}
    for path in map(os.path.realpath, paths):
        if tree := top(os.path.dirname(path)):
            by_tree.setdefault(tree, []).append(path)
    dirty = [path for tree, inside in by_tree.items() for path in _dirty(tree, inside)]
    if dirty:
        names = ", ".join(os.path.relpath(path) for path in dirty[:_SHOWN]) + (", …" if len(dirty) > _SHOWN else "")
        have = "1 file to be written has" if len(dirty) == 1 else f"{len(dirty)} files to be written have"
        raise RunError(f"{have} uncommitted changes: {names}; nothing is written (commit them, or say --allow-dirty)")


def _dirty(tree: str, paths: Collection[str]) -> list[str]:
    named = [os.path.relpath(path, tree) for path in paths] if len(paths) <= _MANY else []
    # -z: XY PATH NUL, and after a rename the old name NUL
    fields = iter(git(tree, "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--", *named).split(b"\0"))
    changed = {os.path.join(tree, os.fsdecode(field[3:])) for field in fields if field}
    return [path for path in paths if path in changed]


def git(tree: str, *arguments: str) -> bytes:
    """What git prints, asked in the folder `tree`. Raises RunError where it fails; nothing is printed without a git."""
    env = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_LITERAL_PATHSPECS": "1", "LC_ALL": "C"}
    try:
        done = subprocess.run(["git", "-C", tree, *arguments], capture_output=True, check=False, env=env, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise RunError(f"git cannot be run in {tree}: {error.strerror}") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit code {done.returncode}"]
        raise RunError(f"git {arguments[0]} failed in {tree}: {said[0]}")
    return done.stdout
