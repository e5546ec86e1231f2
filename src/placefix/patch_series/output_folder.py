"""The folder that a series of patches is written into: `NNNN-slug.patch`, `NNNN-slug.md` for each, and an overview."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from placefix import files
from placefix.patch_series.descriptions import overview_page, patch_page
from placefix.report.diff import patch, patch_name
from placefix.runner import RunError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.patch_series import Patch

_OURS = re.compile(r"\d{4}-.*\.(patch|md)")
_OVERVIEW = "0000-overview.md"


def require_empty_folder(folder: str, *, force: bool) -> None:
    """Raises RunError if the folder is not empty; with `force`, only if the path is no folder."""
    try:
        if os.listdir(folder) and not force:
            raise RunError(f"{folder} is not empty (--force replaces the patches of an earlier run in it)")
    except FileNotFoundError:
        pass
    except OSError as error:
        raise RunError(f"{folder}: {error.strerror}") from None


def write_series(series: Sequence[Patch], folder: str) -> list[str]:
    """Write the series; returns the paths of the patches. Files of an earlier run are deleted. Raises RunError."""
    names = [f"{number:04}-{_slug(piece.title)}" for number, piece in enumerate(series, 1)]
    pages = {_OVERVIEW: overview_page(series, names).encode("utf-8", "surrogateescape")}
    for name, piece in zip(names, series, strict=True):
        pages[f"{name}.patch"] = b"".join(
            patch(patch_name(part.result.absolute), *part.result.before_after()) for part in piece.parts
        )
        pages[f"{name}.md"] = patch_page(piece, name, len(series)).encode("utf-8", "surrogateescape")
    try:
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            if _OURS.fullmatch(name) and name not in pages:
                os.unlink(os.path.join(folder, name))
        for name, data in pages.items():
            files.put(os.path.join(folder, name), data)
    except (OSError, files.FileError) as error:
        raise RunError(f"{folder}: {getattr(error, 'strerror', None) or error}") from None
    return [os.path.join(folder, f"{name}.patch") for name in names]


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:50].strip("-") or "files"
