"""A copy of the working directory for one run, so that files which one run writes do not change the next. Imports no torch.

The copy has the path of the original below a new root, and beside each folder above it links to the real neighbours. So
relative paths that leave the working directory, such as `../data`, lead to the real files.
"""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT_LIMIT = 256 * 2**20  # bytes
FILE_LIMIT = 20_000
# Folders that are linked as a whole: version control, and what package managers install.
_TOOL_FOLDERS = (".git", ".hg", ".svn", "node_modules")
_MARKS_OF_ENVIRONMENTS = ("pyvenv.cfg", "conda-meta")


class FolderTooLargeError(RuntimeError):
    """The folder has too many files to be copied for each run."""


def describe_changes(names: list[str], limit: int) -> str:
    """The reason why runs that changed linked files are not judged. limit: bytes of the copy."""
    return (
        f"the script writes to {names[0]}, which is not copied for each run: the copy of the working directory ends at "
        f"{limit / 2**20:.0f} MiB (--copy-limit). To run in the directory itself: --in-place"
    )


@dataclass
class FolderCopy:
    """A copy of a folder at `root` + its path.

    Files are copied in the order of their size, up to `limit` bytes in total. The rest is linked: a run that writes into such
    a file changes the original, which `changed_files` reports. Symbolic links stay links, to the same file.
    Raises FolderTooLargeError if there are more than FILE_LIMIT files, OSError if the copy cannot be written.
    """

    folder: str  # an absolute path without symbolic links
    root: str  # an empty folder, without symbolic links in its path
    limit: int = DEFAULT_LIMIT
    _links: dict[str, tuple[int, ...]] = field(default_factory=dict)  # path of a large file → its state

    def __post_init__(self) -> None:
        self._link_neighbours()
        files = list(self._walk())
        total = 0
        for size, path in sorted(files):
            total += size
            if total <= self.limit and os.access(path, os.R_OK):
                shutil.copy2(path, self.path_of(path), follow_symlinks=False)
            else:
                os.symlink(path, self.path_of(path))
                self._links[path] = _state(path)

    def path_of(self, path: str) -> str:
        """The place of a path in the copy; the path itself outside of the folder."""
        inside = path == self.folder or path.startswith(os.path.join(self.folder, ""))
        return self.root + path if inside else path

    def original_paths(self, value: Any) -> Any:
        """Plain data with the paths of the copy replaced by those of the original."""
        if isinstance(value, str):
            return value.replace(self.root, "")
        if isinstance(value, list):
            return [self.original_paths(item) for item in value]
        if isinstance(value, dict):
            return {key: self.original_paths(item) for key, item in value.items()}
        return value

    def changed_files(self) -> list[str]:
        """The linked files that are not as they were when the copy was made, relative to the folder."""
        return [os.path.relpath(path, self.folder) for path, state in self._links.items() if _state(path) != state]

    def _link_neighbours(self) -> None:
        """Make the folders above the copy, with links to their other entries."""
        parent, name = os.path.split(self.folder)
        while name:
            copy = self.root + parent
            os.makedirs(copy, exist_ok=True)
            with suppress(PermissionError):  # a folder that may be passed through only
                for neighbour in os.listdir(parent):
                    if neighbour != name:
                        os.symlink(os.path.join(parent, neighbour), os.path.join(copy, neighbour))
            parent, name = os.path.split(parent)

    def _walk(self) -> Iterator[tuple[int, str]]:
        """Make the folders and the links of the copy; yields the size and the path of each file."""
        count = 0
        folders = [self.folder]
        while folders:
            folder = folders.pop()
            os.makedirs(self.path_of(folder), exist_ok=True)
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_symlink():
                        os.symlink(self._target(entry.path), self.path_of(entry.path))
                    elif entry.is_dir():
                        if entry.path == os.path.dirname(self.root):
                            continue  # the folder of temporary files is here
                        if _is_linked_folder(entry.path):
                            os.symlink(entry.path, self.path_of(entry.path))
                        else:
                            folders.append(entry.path)
                    elif entry.is_file():
                        count += 1
                        if count > FILE_LIMIT:
                            raise FolderTooLargeError(
                                f"the working directory has more than {FILE_LIMIT} files, and each run needs a copy of it; "
                                "start in the folder of the project, or run in the folder itself: --in-place"
                            )
                        yield entry.stat().st_size, entry.path

    def _target(self, link: str) -> str:
        """The target for the copy of a symbolic link: unchanged for one inside the folder, else the absolute path."""
        text = os.readlink(link)
        target = os.path.normpath(os.path.join(os.path.dirname(link), text))
        return text if not os.path.isabs(text) and self.path_of(target) != target else target


def _is_linked_folder(path: str) -> bool:
    name = os.path.basename(path)
    if name in _TOOL_FOLDERS or not os.access(path, os.R_OK | os.X_OK):
        return True
    return any(os.path.lexists(os.path.join(path, mark)) for mark in _MARKS_OF_ENVIRONMENTS)


def _state(path: str) -> tuple[int, ...]:
    """A value that changes when a file is written."""
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return (found.st_ino, found.st_size, found.st_mtime_ns, stat.S_IMODE(found.st_mode))
