"""The files of a run.

A file named on the command line is always taken. A folder is searched for `*.py` and `*.ipynb`: files and folders excluded by
.gitignore files, by the default excludes or by the configuration's `exclude` are skipped, and symbolic
links are not followed (their targets, if they belong to the tree, are found
directly, so nothing loops and nothing is read twice).
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from placefix.files import DEFAULT_EXCLUDES
from placefix.gitignore import IgnorePatterns, is_valid_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from placefix.changed_lines import Rows
    from placefix.config import Config, Configs

SUFFIXES = (".py", ".ipynb")
_LARGEST = 10_000_000  # bytes of an ignore file


class Target(NamedTuple):
    """A file to look at: the path to show and open, the absolute path, and its configuration.

    named: whether it was named outright, not only found in a folder. rows: the lines that the run is about; None for all.
    """

    path: str
    absolute: str
    config: Config
    named: bool = False
    rows: Rows | None = None


class Missing(NamedTuple):
    """A path that cannot be looked at, and why, in one line."""

    path: str
    reason: str


class _Folder(NamedTuple):
    path: str  # as shown
    absolute: str
    real: str
    ignores: tuple[IgnorePatterns, ...]  # .gitignore files that apply to it, the outermost first


def discover(paths: Iterable[str | os.PathLike[str]], configs: Configs) -> list[Target | Missing]:
    """The files of `paths` (files and folders), each once, in the order of paths and names.

    The search ends before the first file is touched: raises config.ConfigError where a
    configuration on the way is bad.
    """
    return list(_discover([os.fspath(path) for path in paths], configs))


def _discover(paths: Sequence[str], configs: Configs) -> Iterator[Target | Missing]:
    seen: set[str] = set()
    named = {os.path.realpath(path) for path in paths if "\0" not in path} if len(paths) > 1 else set()
    for path in paths:
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError) as error:  # ValueError: a NUL in the path
            yield Missing(path or "''", getattr(error, "strerror", None) or "not a path")
            continue
        absolute, real = os.path.abspath(path), os.path.realpath(path)
        if not stat.S_ISDIR(mode):
            if real not in seen:
                seen.add(real)
                config = configs.at(os.path.dirname(absolute))
                if not (
                    config.force_exclude
                    and config.excludes_path(absolute, folder=False, searched=os.path.dirname(absolute))
                ):
                    yield Target(path, absolute, config, named=True)
            continue
        shown = path.rstrip(os.sep) or os.sep
        for found in _walk_folder(
            _Folder("" if shown == os.curdir else shown, absolute, real, _gitignores_above(absolute)), configs
        ):
            if isinstance(found, Missing):
                yield found
            elif found[1] not in seen:
                seen.add(found[1])
                yield found[0]._replace(named=found[1] in named)


def _walk_folder(root: _Folder, configs: Configs) -> Iterator[tuple[Target, str] | Missing]:
    """The files below a folder with their real paths; depth first without recursion."""
    stack: list[_Folder | tuple[Target, str]] = [root]
    while stack:
        folder = stack.pop()
        if not isinstance(folder, _Folder):
            yield folder
            continue
        try:
            with os.scandir(folder.absolute) as scan:
                entries = sorted(scan, key=lambda entry: entry.name, reverse=True)
        except OSError as error:
            yield Missing(folder.path or os.curdir, f"cannot be searched: {error.strerror}")
            continue
        config = configs.at(folder.absolute)
        ignores = folder.ignores
        names = {entry.name for entry in entries}
        if ".git" in names:  # another repository: .gitignore files above it do not apply
            ignores = _ignore_file(folder.absolute)
        elif ".gitignore" in names:
            ignores = (*ignores, *_ignore_file(folder.absolute))
        for entry in entries:
            name = entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder:
                if name in DEFAULT_EXCLUDES or name.endswith(".egg-info"):
                    continue
            elif not (name.endswith(SUFFIXES) and entry.is_file(follow_symlinks=False)):
                continue
            absolute = os.path.join(folder.absolute, name)
            if _is_ignored(absolute, is_folder, ignores) or config.excludes_path(
                absolute, folder=is_folder, searched=root.absolute
            ):
                continue
            path, real = os.path.join(folder.path, name), os.path.join(folder.real, name)
            if is_folder:
                stack.append(_Folder(path, absolute, real, ignores))
            else:
                stack.append((Target(path, absolute, config), real))


def _is_ignored(path: str, folder: bool, ignores: tuple[IgnorePatterns, ...]) -> bool:
    """Git's rule: the last matching pattern of the innermost .gitignore with a match decides."""
    for patterns in reversed(ignores):
        verdict = patterns.verdict(path, folder=folder)
        if verdict is not None:
            return verdict
    return False


def _gitignores_above(absolute: str) -> tuple[IgnorePatterns, ...]:
    """The .gitignore files above a folder up to its repository's root; none outside a repository.

    They do not apply to a folder that they ignore themselves, because it was named.
    """
    folders = [absolute]  # from the inside out
    while not os.path.lexists(os.path.join(folders[-1], ".git")):
        parent = os.path.dirname(folders[-1])
        if parent == folders[-1]:
            return ()
        folders.append(parent)
    ignores: tuple[IgnorePatterns, ...] = ()
    while len(folders) > 1:
        folder = folders.pop()
        ignores = (*ignores, *_ignore_file(folder))
        if _is_ignored(folders[-1], True, ignores):
            return ()
    return ignores


def _ignore_file(folder: str) -> tuple[IgnorePatterns, ...]:
    """The patterns that the folder's own .gitignore adds, and at a repository's root its
    .git/info/exclude; a file that cannot be read and a pattern that means nothing are passed
    over, as git does."""
    found = []
    for file in (os.path.join(folder, ".git", "info", "exclude"), os.path.join(folder, ".gitignore")):
        try:
            if not os.path.isfile(file) or os.path.getsize(file) > _LARGEST:
                continue
            with open(file, encoding="utf-8", errors="surrogateescape") as stream:
                text = stream.read()
        except OSError:
            continue
        lines = tuple(
            line for line in text.split("\n") if line.strip() and not line.startswith("#") and is_valid_pattern(line)
        )
        if lines:
            found.append(IgnorePatterns(folder, lines))
    return tuple(found)
