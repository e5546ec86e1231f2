"""`apply --split-by`: the changes as a series of patches, to be reviewed one by one.

Each patch applies alone and in any order with the others; all together they equal `apply`. Patches of folders and owners
have no file in common; `partition` separates the rules of a file, `output_folder` writes the patches.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from placefix.engine import Changed
from placefix.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from placefix.engine import FixSelector
    from placefix.runner import FileResult


_TOGETHER = (
    "In these files the fixes of these rules touch the same lines or neighbouring ones, share insertions, or build on each "
    "other: one without the other would not apply, or would not be the same."
)


class FilePatch(NamedTuple):
    """One file in a patch. result: the file after this patch alone; whole: the file after all patches."""

    result: FileResult
    whole: FileResult


class Patch(NamedTuple):
    """One patch of the series. title: the common part of its changes; together: why it could not be split further."""

    title: str
    parts: tuple[FilePatch, ...]
    together: str = ""


def split_patches(
    by: str, results: Iterable[FileResult], paths: Sequence[str], again: Callable[[FileResult, FixSelector], FileResult]
) -> list[Patch]:
    """The series for the repaired files among `results`, in the order of folders, rules or owners.

    by: "dir", "rule" or "owner". paths: the paths of the run. again: the repair of a file by some of its fixes only.
    Raises RunError if there is no CODEOWNERS file.
    """
    changed = [result for result in results if isinstance(result.outcome, Changed)]
    if by == "rule":
        return _by_rule(changed, again)
    if by == "dir":
        return _sort_patches((*_folder_key(result.absolute, paths), FilePatch(result, result)) for result in changed)
    from placefix.patch_series.owners import OwnerLookup

    owners = OwnerLookup()
    found = [(owners.of(result.absolute), FilePatch(result, result)) for result in changed]
    return _sort_patches(((not names, names), ", ".join(names) or "unowned", part) for names, part in found)


def _by_rule(changed: Iterable[FileResult], again: Callable[[FileResult, FixSelector], FileResult]) -> list[Patch]:
    from placefix.patch_series.partition import partition_rules

    rules = {rule.code: (number, rule.name) for number, rule in enumerate(RULES)}
    found = []
    for result in changed:
        for group, alone in partition_rules(result, again):
            codes = sorted(group, key=lambda code: rules[code])
            title = " + ".join(codes) if len(codes) > 1 else f"{codes[0]} {rules[codes[0]][1]}"
            found.append(((len(codes) > 1, [rules[code] for code in codes]), title, FilePatch(alone, result)))
    return [piece._replace(together=_TOGETHER if " + " in piece.title else "") for piece in _sort_patches(found)]


def _folder_key(path: str, paths: Sequence[str]) -> tuple[str, str]:
    """The folder of an absolute path directly below a path of the run, as key and title."""
    searched = [folder for folder in map(os.path.abspath, paths) if path.startswith(os.path.join(folder, ""))]
    above = max(searched, key=len, default=os.path.dirname(path))
    first, *below = os.path.relpath(path, above).split(os.sep)
    folder = os.path.join(above, first) if below else above
    shown = os.path.join(os.path.relpath(folder), "").replace(os.sep, "/")
    return shown, shown if below else f"{shown} (its own files)"


def _sort_patches(found: Iterable[tuple[Any, str, FilePatch]]) -> list[Patch]:
    """One piece for each title, in the order of the keys that come with them."""
    parts: dict[str, list[FilePatch]] = {}
    for _, title, part in sorted(found, key=lambda item: item[0]):
        parts.setdefault(title, []).append(part)
    return [Patch(title, tuple(own)) for title, own in parts.items()]
