"""The questions of an analysis to the file system, recorded: equal answers mean that its result still holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from placefix import notebook_code

if TYPE_CHECKING:
    from collections.abc import Callable


class Files(Protocol):
    """The file system as a project needs it; paths are absolute."""

    def read(self, path: str) -> bytes | None:
        """The bytes of a file as they were when the run began, None if it cannot be read."""

    def is_file(self, path: str) -> bool:
        """Whether the path is a file."""

    def is_folder(self, path: str) -> bool:
        """Whether the path is a folder."""

    def holding(self, folder: str, pattern: str, within: str = "") -> tuple[str, ...]:
        """The Python files below a folder whose bytes a multi-line regular expression (ASCII) matches, and the notebooks whose
        code it matches, sorted. within: a second expression; only the parts of a file that it matches are searched, and they are
        taken out of the files once for all patterns."""


HOLDING = "holding "
WITHIN = " within "
# A question to Files (read, is_file, is_folder, HOLDING with the pattern and, after WITHIN, the parts) and its path.
Question = tuple[str, str]


class RecordedFiles:
    """Files that record all questions; a notebook is read as its code."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self.asked: set[Question] = set()
        self._exists: dict[Question, bool] = {}
        self._read: dict[str, bytes | None] = {}  # for one file under analysis, which reads the same ones again

    def begin(self) -> None:
        """Another file is analysed."""
        self.asked = set()
        self._read.clear()

    def read(self, path: str) -> bytes | None:
        """As `Files.read`; a notebook is read as its code."""
        if path not in self._read:
            data = self._files.read(path)
            self._read[path] = (
                notebook_code.code_of_notebook(data)
                if data is not None and path.endswith(notebook_code.SUFFIX)
                else data
            )
        self.asked.add(("read", path))
        return self._read[path]

    def is_file(self, path: str) -> bool:
        """As `Files.is_file`."""
        return self._known(("is_file", path), self._files.is_file)

    def is_folder(self, path: str) -> bool:
        """As `Files.is_folder`."""
        return self._known(("is_folder", path), self._files.is_folder)

    def holding(self, folder: str, pattern: str, within: str = "") -> tuple[str, ...]:
        """As `Files.holding`."""
        self.asked.add((HOLDING + pattern + (WITHIN + within if within else ""), folder))
        return self._files.holding(folder, pattern, within)

    def _known(self, question: Question, ask: Callable[[str], bool]) -> bool:
        self.asked.add(question)
        answer = self._exists.get(question)
        if answer is None:
            answer = self._exists[question] = ask(question[1])
        return answer
