"""The owners of a file, by the CODEOWNERS of its repository: the last matching line decides. The only importer of codeowners."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from placefix import files
from placefix.journal import journal_home
from placefix.runner import RunError

if TYPE_CHECKING:
    from codeowners import CodeOwners

# Where it may be; the first one counts, as on GitHub.
PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
_LARGEST = 3_000_000  # bytes: as on GitHub


class OwnerLookup:
    """The owners of files of any repositories. Raises RunError where the library is missing."""

    def __init__(self) -> None:
        try:
            from codeowners import CodeOwners
        except ImportError:
            raise RunError("--split-by owner needs codeowners: pip install 'placefix[owners]'") from None
        self._read = CodeOwners
        self._known: dict[str, CodeOwners] = {}

    def of(self, path: str) -> tuple[str, ...]:
        """The owners of the file at an absolute path, as they are written; none for one that nobody owns.

        Raises RunError where its repository has no CODEOWNERS.
        """
        real = os.path.realpath(path)
        tree = journal_home(os.path.dirname(real))
        if tree == os.path.dirname(real) and not os.path.lexists(os.path.join(tree, ".git")):
            tree = os.path.realpath(os.getcwd())  # no work tree: the folder of the run takes its place
        if tree not in self._known:
            self._known[tree] = self._codeowners(tree)
        return tuple(name for _, name in self._known[tree].of(os.path.relpath(real, tree).replace(os.sep, "/")))

    def _codeowners(self, tree: str) -> CodeOwners:
        for place in PLACES:
            path = os.path.join(tree, place)
            if not os.path.lexists(path):
                continue
            try:
                if os.stat(path).st_size > _LARGEST:
                    raise ValueError(f"larger than {_LARGEST // 1_000_000} MB")
                text = files.read(path).decode("utf-8-sig")
                return self._read(re.sub(r"(?m)[ \t]#.*$", "", text))
            except (files.FileError, ValueError) as error:
                raise RunError(f"{os.path.relpath(path)}: {error}") from None
        raise RunError(f"there is no CODEOWNERS in {tree} ({', '.join(PLACES)})")
