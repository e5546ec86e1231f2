"""The copy of the working directory that each run of `verify` gets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from placefix.simulate import folder_copy
from placefix.simulate.folder_copy import FolderCopy, FolderTooLargeError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "above" / "project"
    (found / "data").mkdir(parents=True)
    (found / "train.py").write_text("print()\n")
    (found / "data" / "small.txt").write_text("small")
    (tmp_path / "above" / "beside.txt").write_text("beside")
    return found


def copy_of(folder: Path, limit: int = folder_copy.DEFAULT_LIMIT) -> FolderCopy:
    root = folder.parent.parent / "root"
    root.mkdir()
    return FolderCopy(str(folder), str(root), limit)


def test_writes_stay_in_the_copy(folder: Path) -> None:
    copy = copy_of(folder)
    place = Path(copy.path_of(str(folder)))
    (place / "data" / "small.txt").write_text("changed")
    (place / "train.py").unlink()
    (place / "new").touch()
    assert (folder / "data" / "small.txt").read_text() == "small"
    assert sorted(path.name for path in folder.iterdir()) == ["data", "train.py"]
    assert copy.changed_files() == []


def test_relative_paths_lead_to_the_real_neighbours(folder: Path) -> None:
    place = Path(copy_of(folder).path_of(str(folder)))
    assert os.path.realpath(place / ".." / "beside.txt") == os.path.realpath(folder.parent / "beside.txt")
    assert (place / ".." / ".." / "root").exists()


def test_links_lead_where_they_led(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (folder / "to_outside").symlink_to(tmp_path / "outside")
    (folder / "to_beside").symlink_to("../beside.txt")
    (folder / "data" / "inside").symlink_to("small.txt")
    place = Path(copy_of(folder).path_of(str(folder)))
    assert os.path.realpath(place / "to_outside") == os.path.realpath(tmp_path / "outside")
    assert (place / "to_beside").read_text() == "beside"
    (place / "data" / "inside").write_text("changed")
    assert (place / "data" / "small.txt").read_text() == "changed"
    assert (folder / "data" / "small.txt").read_text() == "small"


def test_files_beyond_the_limit_are_linked_and_watched(folder: Path) -> None:
    large = folder / "data" / "large.bin"
    large.write_bytes(bytes(5000))
    copy = copy_of(folder, 4000)
    place = Path(copy.path_of(str(folder)))
    assert (place / "data" / "large.bin").is_symlink()
    assert not (place / "data" / "small.txt").is_symlink()
    assert copy.changed_files() == []
    (place / "data" / "large.bin").write_bytes(b"x")
    assert copy.changed_files() == [os.path.join("data", "large.bin")]


def test_a_large_file_that_a_run_replaces_in_the_copy_is_not_changed(folder: Path) -> None:
    large = folder / "large.bin"
    large.write_bytes(bytes(5000))
    copy = copy_of(folder, 4000)
    place = Path(copy.path_of(str(large)))
    place.unlink()
    place.write_bytes(b"x")
    assert copy.changed_files() == []
    assert large.stat().st_size == 5000


@pytest.mark.parametrize("name", [".git", "environment", "node_modules"])
def test_folders_of_tools_are_linked(folder: Path, name: str) -> None:
    (folder / name).mkdir()
    if name == "environment":
        (folder / name / "pyvenv.cfg").touch()
    assert Path(copy_of(folder).path_of(str(folder / name))).is_symlink()


def test_a_folder_with_too_many_files_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_copy, "FILE_LIMIT", 1)
    with pytest.raises(FolderTooLargeError, match="more than 1 files"):
        copy_of(folder)


def test_sockets_and_pipes_are_left_out(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    assert not os.path.lexists(copy_of(folder).path_of(str(folder / "pipe")))


def test_the_folder_of_temporary_files_is_not_copied_into_itself(folder: Path) -> None:
    root = folder / "temporary" / "root"
    root.mkdir(parents=True)
    copy = FolderCopy(str(folder), str(root))
    assert not os.path.lexists(copy.path_of(str(folder / "temporary")))
    assert Path(copy.path_of(str(folder / "train.py"))).exists()


def test_folders_of_modules_are_found_in_the_copy(folder: Path) -> None:
    from placefix.simulate.request import Request
    from placefix.simulate.worker import path_in_copy

    (folder / "environment" / "packages").mkdir(parents=True)
    (folder / "environment" / "pyvenv.cfg").touch()
    copy = copy_of(folder)
    request = Request("train.py", folder=copy.path_of(str(folder)), copied_from=copy.folder)
    assert path_in_copy(str(folder / "data"), request) == copy.path_of(str(folder / "data"))
    assert path_in_copy(str(folder), request) == copy.path_of(str(folder))
    for path in (
        folder / "environment" / "packages",
        folder.parent,
        Path(str(folder) + "_other"),
        Path(os.__file__).parent,
    ):
        assert path_in_copy(str(path), request) == str(path)


def test_paths_are_those_of_the_original(folder: Path) -> None:
    copy = copy_of(folder)
    script = copy.path_of(str(folder / "train.py"))
    assert copy.original_paths({"where": [{"file": script, "line": 1}], "text": f"in {script}:1"}) == {
        "where": [{"file": str(folder / "train.py"), "line": 1}],
        "text": f"in {folder / 'train.py'}:1",
    }
    assert copy.path_of(str(folder) + "_other") == str(folder) + "_other"
