"""A distribution as a file system, so that a member is analysed with what it imports from its own."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from corpus import fetch

from placefix.byte_patterns import in_bytes

if TYPE_CHECKING:
    from pathlib import Path


class Packed:
    """The files of one distribution, read into memory: what `facts.project` asks of a file system."""

    def __init__(self, archive: Path) -> None:
        self.root = f"/{archive.name}"
        self.held = {f"{self.root}/{name}": data for name, data in fetch.read_archive(archive)}
        self.folders = {str(parent) for path in self.held for parent in PurePosixPath(path).parents}

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, None if there is none."""
        return self.held.get(path)

    def is_file(self, path: str) -> bool:
        """Whether a file stands there."""
        return path in self.held

    def is_folder(self, path: str) -> bool:
        """Whether a folder stands there."""
        return path in self.folders

    def holding(self, folder: str, pattern: str, within: str = "") -> tuple[str, ...]:
        """The Python files below a folder whose bytes, or the parts of them that `within` matches, a multi-line pattern matches; an
        sdist's notebooks are not searched."""
        below = (path for path in self.held if path.startswith(f"{folder}/") and path.endswith(".py"))
        return tuple(sorted(path for path in below if self._matches(path, pattern, within)))

    def _matches(self, path: str, pattern: str, within: str) -> bool:
        data = self.held[path]
        if within:
            data = b"\n".join(match[0] for match in in_bytes(within).finditer(data))
        return in_bytes(pattern).search(data) is not None
