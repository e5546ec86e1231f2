"""The record of the files that `apply` has written, for `undo`.

There is one journal file per run in the platform's folder for state. The content of a file is appended to it, and synced to the
disk, before the file is written: if a run is killed, each file has its old content or the journal has it.
"""

from __future__ import annotations

import os
import time
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from placefix import files
from placefix.runner import RunError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SUFFIX = ".journal"
_KEPT = 20  # journals of one folder
_MAGIC = b"placefix journal 1\n"


class JournalEntry(NamedTuple):
    """One file: its absolute path, its bytes before, and the digest of its bytes after."""

    path: str
    before: bytes
    after: bytes


def default_folder() -> str:
    """Where journals are."""
    from platformdirs import user_state_dir

    return os.path.join(user_state_dir("placefix", appauthor=False), "journals")


def journal_home(folder: str) -> str:
    """The folder that the journal of a run belongs to: the work tree around an absolute folder, or the folder itself."""
    from placefix.git import work_tree_root

    return work_tree_root(folder) or folder


class Journal:
    """The journal of one run that writes files; it begins with the first of them."""

    def __init__(self, folder: str, about: str) -> None:
        self._folder = folder
        self._about = about
        self._handle: int | None = None

    def note(self, path: str, before: bytes, after: bytes) -> None:
        """Append the content of the file at the absolute `path` before and the digest of its content after. Raises OSError."""
        if self._handle is None:
            self._handle = self._begin()
        name = os.fsencode(os.path.realpath(path))
        body = name + before
        head = b"%d %d %s %s\n" % (len(name), len(before), _digest(after), _digest(body))
        record = memoryview(head + body)
        while record:
            record = record[os.write(self._handle, record) :]
        os.fsync(self._handle)

    def _begin(self) -> int:
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        prefix = _prefix(self._about)
        for name in _names(self._folder, prefix)[: -_KEPT + 1]:
            os.unlink(os.path.join(self._folder, name))
        path = os.path.join(self._folder, f"{prefix}-{time.time_ns():020}-{os.getpid()}{SUFFIX}")
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        os.write(handle, _MAGIC)
        return handle


class Record(NamedTuple):
    """A run that can be undone: its start, in seconds since the epoch, and the files it wrote."""

    when: float
    entries: tuple[JournalEntry, ...]


def records(folder: str, about: str) -> Iterator[Record]:
    """The runs about a folder whose journals are in `folder`, the newest first. Raises RunError where one cannot be read."""
    for name, entries in _runs(folder, about):
        if entries:  # else it was killed before it wrote anything
            yield Record(int(name.split("-")[1]) / 1e9, entries)


def _runs(folder: str, about: str) -> Iterator[tuple[str, tuple[JournalEntry, ...]]]:
    """The journals about a folder by name, the newest first. Raises RunError where one cannot be read."""
    for name in reversed(_names(folder, _prefix(about))):
        path = os.path.join(folder, name)
        try:
            entries = tuple(_entries(files.read(path)))
        except files.FileError as error:
            raise RunError(f"{path}: {error}") from None
        yield name, entries


def undo_last_run(folder: str, about: str) -> list[str]:
    """Take back the last run about a folder whose journal is in `folder`; the paths of the files that were restored.

    Raises RunError where there is none, and where a file has changed since: then nothing is restored.
    Interrupted, it can be run again.
    """
    for name, entries in _runs(folder, about):
        path = os.path.join(folder, name)
        if entries:
            restored = _restore(entries)
            _sweep(entries, name.removesuffix(SUFFIX).rpartition("-")[2])
            os.unlink(path)
            return restored
        os.unlink(path)  # killed before it wrote anything
    raise RunError("there is nothing to undo here")


def _restore(entries: Sequence[JournalEntry]) -> list[str]:
    now: list[tuple[JournalEntry, bytes]] = []
    changed = []
    for entry in entries:
        try:
            data = files.read(entry.path)
        except files.FileError as error:
            changed.append(f"{os.path.relpath(entry.path)} ({error})")
            continue
        if _digest(data) == entry.after:
            now.append((entry, data))
        elif data != entry.before:  # as it was: never written, or already restored
            changed.append(os.path.relpath(entry.path))
    if changed:
        raise RunError(f"nothing is undone: changed since placefix wrote it: {', '.join(changed)}")
    for entry, data in now:
        try:
            files.replace(entry.path, data, entry.before)
        except files.FileError as error:
            raise RunError(f"{os.path.relpath(entry.path)}: {error}; the files before it are restored") from None
    return [entry.path for entry, _ in now]


def _sweep(entries: Sequence[JournalEntry], pid: str) -> None:
    """Remove the temporary file that a run leaves behind when it is killed."""
    for folder in {os.path.dirname(entry.path) for entry in entries}:
        for name in os.listdir(folder):
            if name.startswith(f".placefix-{pid}-") and name.endswith((".tmp", ".py")):
                os.unlink(os.path.join(folder, name))


def _entries(data: bytes) -> Iterator[JournalEntry]:
    """The complete entries of a journal: a torn entry is the last one, and its file was never written."""
    if not data.startswith(_MAGIC):
        return
    at = len(_MAGIC)
    while True:
        end = data.find(b"\n", at)
        fields = data[at:end].split(b" ")
        if end < 0 or len(fields) != 4 or not (fields[0].isdigit() and fields[1].isdigit()):
            return
        middle = end + 1 + int(fields[0])
        at = middle + int(fields[1])
        if _digest(data[end + 1 : at]) != fields[3]:
            return
        yield JournalEntry(os.fsdecode(data[end + 1 : middle]), data[middle:at], fields[2])


def _names(folder: str, prefix: str) -> list[str]:
    """The journals about one folder, the oldest first."""
    try:
        return sorted(name for name in os.listdir(folder) if name.startswith(prefix) and name.endswith(SUFFIX))
    except FileNotFoundError:
        return []


def _prefix(about: str) -> str:
    return _digest(os.fsencode(os.path.realpath(about))).decode()


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).hexdigest().encode()
