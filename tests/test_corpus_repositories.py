"""The repositories of our own: their diffs are the reviewed ones, and `apply` arrives there in one run."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

import placefix
from corpus_support import git, judge

if TYPE_CHECKING:
    from pathlib import Path

each = pytest.mark.parametrize("folder", judge.repositories(), ids=lambda folder: folder.name)


def test_every_diff_has_a_repository() -> None:
    names = {folder.name for folder in judge.repositories()}
    assert {path.stem for path in judge.REPOSITORIES.glob("*.diff")} == names
    assert len(names) >= 3


@each
def test_diff_is_the_reviewed_one(folder: Path) -> None:
    assert judge.repository_diff(folder) == folder.with_suffix(".diff").read_bytes(), (
        "run `python corpus/update.py --scripts` and review"
    )


@each
def test_apply_writes_what_the_diff_says_and_settles(folder: Path, tmp_path: Path) -> None:
    applied, patched = tmp_path / "applied", tmp_path / "patched"
    shutil.copytree(folder, applied)
    shutil.copytree(folder, patched)
    placefix.fix_paths([applied], isolated=True)
    git("init", "-q", cwd=patched)
    git("apply", "--whitespace=nowarn", str(folder.with_suffix(".diff")), cwd=patched)
    for path in applied.rglob("*.py"):
        assert path.read_bytes() == (patched / path.relative_to(applied)).read_bytes()
    assert not any(result.written for result in placefix.fix_paths([applied], isolated=True))
