"""Reading files, and writing them so that each is old or new, never half."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections import deque
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING

from placefix import notebook_code
from placefix.byte_patterns import last_word, matches, matching_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Names of folders that never hold the user's source, at any depth.
DEFAULT_EXCLUDES = frozenset(
    {
        ".bzr", ".cache", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints", ".mypy_cache",
        ".nox", ".pants.d", ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox", ".venv", ".vscode",
        "__pycache__", "__pypackages__", "_build", "buck-out", "build", "dist", "node_modules", "site-packages", "venv",
    }
)  # fmt: skip
# Limits of the search in one repository: a script in a home folder must not cause a read of everything below it.
_MAX_SEARCHED = 5_000  # Python files and notebooks
_MAX_ENTRIES = 50_000  # names of files and folders
_WORDS = re.compile(rb"\w+")
_MAX_CODE = 40_000_000  # bytes of code that are kept for the next search

# Seconds that a run waits for another one to write into the same folder, and between two looks.
_MAX_WAIT = 10.0
_PAUSE = 0.01

LARGEST = 256_000_000  # bytes; nobody's source is


class FileError(Exception):
    """A file cannot be read or written; the message is one line without the path."""


def read(path: str) -> bytes:
    """The bytes of a regular file of at most `LARGEST` bytes. Raises FileError."""
    try:
        # a pipe without a writer is not waited for
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb", buffering=0) as stream:  # read whole, once
            before = os.fstat(handle)
            if stat.S_ISDIR(before.st_mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not stat.S_ISREG(before.st_mode):
                raise FileError("cannot be read: not a regular file")
            if before.st_size > LARGEST:
                raise FileError(f"cannot be read: larger than {LARGEST // 1_000_000} MB")
            return stream.read()
    except OSError as error:
        raise FileError(f"cannot be read: {_reason(error)}") from None


def replace(path: str, old: bytes, new: bytes) -> None:
    """Replace the content of the file at `path`, which must still be `old`, by `new`.

    The bytes go to a temporary file in the same folder, which then takes the file's name in
    one step; mode and owner are kept, and a symbolic link stays one: its target is written. A file
    with several names (hard links) keeps them: it is overwritten.
    Whatever interrupts this leaves the old file or the new one, and no temporary file.
    Raises FileError.
    """
    target = os.path.realpath(path)
    try:
        before = os.stat(target)
        if not stat.S_ISREG(before.st_mode):
            raise FileError("cannot be written: not a regular file")
        if not os.access(target, os.W_OK):
            raise FileError("cannot be written: it is read-only")
        _swap(target, new, before, old)
    except OSError as error:
        raise FileError(f"cannot be written: {_reason(error)}") from None


def put(path: str, data: bytes) -> None:
    """Make `data` the content of the file at `path`, whether there is one or not, in one step as `replace` does.

    A pipe or device (/dev/stdout) is written to. Raises FileError.
    """
    try:
        before = os.stat(path) if os.path.exists(path) else None
        if before is None or stat.S_ISREG(before.st_mode):
            _swap(os.path.realpath(path), data, before)
        else:  # under the name it has: that of a pipe behind /dev/stdout cannot be opened
            with open(path, "wb") as stream:
                stream.write(data)
    except OSError as error:
        raise FileError(f"cannot be written: {_reason(error)}") from None


def _swap(target: str, new: bytes, before: os.stat_result | None, old: bytes | None = None) -> None:
    """Put `new` into the place of the file at `target`, with the owner and mode of `before`; if `old` is
    given, only while the file holds that."""
    # The name is made before the file so that the cleanup below knows it whenever we are interrupted.
    temporary = os.path.join(os.path.dirname(target), f".placefix-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        handle = os.open(temporary, flags, 0o666 if before is None else 0o600)
        with open(handle, "wb") as stream:
            stream.write(new)
            stream.flush()
            if before is not None:
                _like(handle, before)
            os.fsync(handle)
        with _locked(os.path.dirname(target)):
            if old is not None:
                now = read(target)
                if now == new:  # another run has written it
                    return
                if now != old:
                    raise FileError("not written: it has changed since it was read")
            if before is not None and before.st_nlink > 1:
                _overwrite(target, new)
            else:
                os.replace(temporary, target)
    finally:
        if os.path.lexists(temporary):
            os.unlink(temporary)


@contextmanager
def _locked(folder: str) -> Iterator[None]:
    """Keep other runs from writing files of a folder: between comparing a file and replacing it, nothing of theirs is lost.

    The lock is advisory, and goes with the process. Where a system or file system has none, or somebody keeps it for long,
    the file is written without it.
    """
    handle = None
    try:
        with suppress(ImportError, OSError):
            import fcntl

            handle = os.open(folder, os.O_RDONLY)
            latest = monotonic() + _MAX_WAIT
            while True:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if monotonic() > latest:
                        break
                    sleep(_PAUSE)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _overwrite(target: str, new: bytes) -> None:
    """Write into the file itself, whose other names (hard links) then have the new content, too. Not in one step: a crash of the
    machine can leave a part of each."""
    handle = os.open(target, os.O_WRONLY | getattr(os, "O_BINARY", 0))
    with open(handle, "wb", buffering=0) as stream:
        rest = memoryview(new)
        while rest:
            rest = rest[stream.write(rest) :]
        stream.truncate()
        os.fsync(handle)


def _like(handle: int, model: os.stat_result) -> None:
    """Give an open file the owner and mode of another."""
    if hasattr(os, "fchown"):
        mine = os.fstat(handle)
        if (mine.st_uid, mine.st_gid) != (model.st_uid, model.st_gid):
            os.fchown(handle, model.st_uid, model.st_gid)  # refused: better not written than given away
    if hasattr(os, "fchmod"):
        os.fchmod(handle, stat.S_IMODE(model.st_mode))  # after fchown, which clears set-id bits


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


class Snapshot:
    """The files at the start of a run. Paths are absolute; of a file that the run writes, the content before is kept."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}
        self._names: dict[str, frozenset[str]] = {}  # of the folders that were looked up: the names in them
        self._below: dict[str, tuple[str, ...]] = {}  # of those that were searched: their Python files and notebooks
        self._code: dict[str, bytes] = {}  # of the files that were searched, up to _MAX_CODE
        self._code_size = 0
        self._holding: dict[tuple[str, str, str], tuple[str, ...]] = {}
        self._parts: dict[tuple[str, str], tuple[tuple[str, bytes], ...]] = {}
        self._words: dict[tuple[str, str], dict[bytes, list[int]]] = {}  # of parts: the numbers of those with each word

    def keep(self, path: str, data: bytes) -> None:
        """Remember the bytes of a file before it is written."""
        self._kept[os.path.realpath(path)] = data

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, None if it cannot be read."""
        if self._kept:
            kept = self._kept.get(os.path.realpath(path))
            if kept is not None:
                return kept
        try:
            return read(path)
        except FileError:
            return None

    def is_file(self, path: str) -> bool:
        """Whether the path is a file."""
        return self._exists(path) and os.path.isfile(path)

    def is_folder(self, path: str) -> bool:
        """Whether the path is a folder."""
        return self._exists(path) and os.path.isdir(path)

    def _exists(self, path: str) -> bool:
        """Whether the listing of its folder has a path: most paths do not exist, and one listing serves all paths of a folder."""
        folder, name = os.path.split(path)
        names = self._names.get(folder)
        if names is None:
            try:
                names = frozenset(os.listdir(folder))
            except OSError:
                names = frozenset()
            self._names[folder] = names
        return name in names

    def holding(self, folder: str, pattern: str, within: str = "") -> tuple[str, ...]:
        """The Python files below a folder whose bytes a multi-line regular expression (ASCII) matches, and the notebooks whose code
        it matches, sorted; found out once. within: search only the parts of the files that this expression matches.
        Of a folder with very many files those nearest to it are searched."""
        key = folder, pattern, within
        if key not in self._holding:
            word = last_word(pattern)
            texts = self._parts_with(word, folder, within) if within else self._texts(folder)
            self._holding[key] = tuple(path for path, data in texts if word in data and matches(pattern, data))
        return self._holding[key]

    def _texts(self, folder: str) -> Iterator[tuple[str, bytes]]:
        """The Python files and notebooks below a folder, each with its code."""
        for path in self._sources(folder):
            data = self._searched(path)
            if data is not None:
                yield path, data

    def _parts_of(self, folder: str, pattern: str) -> tuple[tuple[str, bytes], ...]:
        """The files below a folder that a pattern matches, each with the matches, a line between two; found out once."""
        key = folder, pattern
        if key not in self._parts:
            parts = ((path, b"\n".join(matching_parts(pattern, data))) for path, data in self._texts(folder))
            self._parts[key] = tuple((path, data) for path, data in parts if data)
        return self._parts[key]

    def _parts_with(self, word: bytes, folder: str, pattern: str) -> Iterable[tuple[str, bytes]]:
        """Those of `_parts_of` that have a word; all for an empty one."""
        parts = self._parts_of(folder, pattern)
        if not word:
            return parts
        key = folder, pattern
        if key not in self._words:
            words: dict[bytes, list[int]] = {}
            for number, (_, data) in enumerate(parts):
                for each in set(_WORDS.findall(data)):
                    words.setdefault(each, []).append(number)
            self._words[key] = words
        return (parts[number] for number in self._words[key].get(word, ()))

    def _searched(self, path: str) -> bytes | None:
        """The bytes of a Python file, the code of a notebook; kept in memory, since many patterns are searched in the same files."""
        if path in self._code:
            return self._code[path]
        data = self.read(path)
        if data is not None and path.endswith(notebook_code.SUFFIX):
            data = notebook_code.code_of_notebook(data)
        if data is not None and self._code_size < _MAX_CODE:
            self._code[path] = data
            self._code_size += len(data)
        return data

    def _sources(self, folder: str) -> tuple[str, ...]:
        if folder not in self._below:
            found: list[str] = []
            todo, entries = deque((folder,)), 0
            while todo and entries < _MAX_ENTRIES and len(found) < _MAX_SEARCHED:
                try:
                    with os.scandir(todo.popleft()) as scan:
                        listed = sorted(scan, key=lambda entry: entry.name)
                except OSError:
                    continue
                entries += len(listed)
                for entry in listed:
                    name = entry.name
                    if entry.is_dir(follow_symlinks=False):
                        if not (name in DEFAULT_EXCLUDES or name.startswith(".") or name.endswith(".egg-info")):
                            todo.append(entry.path)
                    elif name.endswith((".py", notebook_code.SUFFIX)) and entry.is_file(follow_symlinks=False):
                        found.append(entry.path)
            self._below[folder] = tuple(sorted(found[:_MAX_SEARCHED]))
        return self._below[folder]
