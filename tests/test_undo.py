"""`apply` does not write over uncommitted changes, and `undo` takes back what it wrote, wherever it was killed."""

from __future__ import annotations

import os
import random
import re
import signal
import time
from typing import TYPE_CHECKING

import pytest

from fakes import git, run, start

if TYPE_CHECKING:
    from pathlib import Path

OLD, NEW = "model.cuda()\n", "model.to(device)\n"


def plant(root: Path, count: int, text: str = OLD) -> dict[str, str]:
    for number in range(count):
        folder = root / f"d{number % 2}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"f{number:02}.py").write_text(text)
    return texts(root)


def texts(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text() for path in root.rglob("*.py")}


def leftovers(root: Path) -> list[str]:
    return [path.name for path in root.rglob(".placefix*")]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    plant(root, 4)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")
    return root


# Uncommitted changes


def test_clean_files_are_written(repo: Path) -> None:
    (repo / "notes.txt").write_text("untracked")
    (repo / "d0" / "quiet.py").write_text("x = 1\n")  # untracked, and nothing to write in it
    assert run("apply", cwd=repo).returncode == 0
    assert set(texts(repo).values()) == {NEW, "x = 1\n"}


@pytest.mark.parametrize("change", ["modified", "staged", "untracked"])
def test_uncommitted_changes_are_not_written_over(repo: Path, change: str) -> None:
    file = repo / "d1" / ("f01.py" if change != "untracked" else "new name.py")
    file.write_text("x = 1\n" + OLD)
    if change == "staged":
        git(repo, "add", ".")
    before = texts(repo)
    done = run("apply", cwd=repo)
    assert (done.returncode, done.stdout) == (2, b"")
    name = os.path.join("d1", file.name)
    assert done.stderr.decode() == (
        f"error: 1 file to be written has uncommitted changes: {name}; nothing is written (commit them, or say --allow-dirty)\n"
    )
    assert texts(repo) == before
    assert run("apply", "--diff", cwd=repo).returncode == 1  # writes nothing: nothing to ask
    assert run("apply", name, cwd=repo).returncode == 0  # named outright
    assert [n for n, text in texts(repo).items() if "device" in text] == [name]
    file.write_text(before[name])
    assert run("apply", "--allow-dirty", cwd=repo).returncode == 0
    assert all("device" in text for text in texts(repo).values())


def test_repositories_inside_of_a_folder(tmp_path: Path, repo: Path) -> None:
    plant(tmp_path / "plain", 2)
    (repo / "d0" / "f00.py").write_text(OLD + OLD)
    before = texts(tmp_path)
    assert run("apply", "plain", "repo", cwd=tmp_path).returncode == 2
    assert texts(tmp_path) == before


def test_a_git_that_fails_is_no_yes(repo: Path) -> None:
    (repo / ".git" / "HEAD").write_text("nonsense")
    before = texts(repo)
    done = run("apply", cwd=repo)
    assert done.returncode == 2 and b"git status failed" in done.stderr and texts(repo) == before


def test_git_is_not_asked_for_nothing(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "bin" / "git").chmod(0o755)
    env = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    assert run("apply", cwd=repo, env=env).returncode == 2
    assert run("check", cwd=repo, env=env).returncode == 1
    for path in repo.rglob("*.py"):
        path.write_text("x.cuda\n")
    assert run("apply", cwd=repo, env=env).returncode == 0


# Undo


def test_undo(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    first = plant(root, 4)
    (root / "d0" / "f00.py").write_bytes(b"\xef\xbb\xbfmodel.cuda()\r\n# \xc3\xa4")
    (root / "d0" / "f00.py").chmod(0o755)
    before = {path: path.read_bytes() for path in root.rglob("*.py")}
    assert run("undo", cwd=root).stderr == b"error: there is nothing to undo here\n"
    run("apply", cwd=root)
    assert all(path.read_bytes() != data for path, data in before.items())
    assert run("undo", cwd=tmp_path, env={"XDG_STATE_HOME": f"{root}-state"}).returncode == 2  # another folder
    done = run("undo", cwd=root)
    assert (done.returncode, done.stderr) == (0, b"Restored 4 files.\n")
    assert {path: path.read_bytes() for path in root.rglob("*.py")} == before
    assert (root / "d0" / "f00.py").stat().st_mode & 0o777 == 0o755
    assert run("undo", cwd=root).returncode == 2
    assert len(first) == 4


def test_undo_goes_back_run_by_run_from_anywhere_in_the_repository(repo: Path) -> None:
    env = {"XDG_STATE_HOME": f"{repo}-state"}
    run("apply", "d0", cwd=repo, env=env)
    run("apply", ".", cwd=repo / "d1", env=env)
    assert set(texts(repo).values()) == {NEW}
    assert run("undo", cwd=repo / "d0", env=env).returncode == 0
    assert {texts(repo / "d0")["f00.py"], texts(repo / "d1")["f01.py"]} == {NEW, OLD}
    assert run("undo", cwd=repo, env=env).returncode == 0
    assert set(texts(repo).values()) == {OLD}


@pytest.mark.parametrize("change", ["edited", "gone"])
def test_undo_refuses_what_has_changed(tmp_path: Path, change: str) -> None:
    root = tmp_path / "repo"
    plant(root, 4)
    run("apply", cwd=root)
    file = root / "d0" / "f02.py"
    file.write_text("mine\n") if change == "edited" else file.unlink()
    after = texts(root)
    done = run("undo", cwd=root)
    assert done.returncode == 2 and os.path.join("d0", "f02.py") in done.stderr.decode()
    assert texts(root) == after
    file.write_text(NEW)
    assert run("undo", cwd=root).returncode == 0
    assert set(texts(root).values()) == {OLD}


def test_no_journal_is_said(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    plant(root, 2)
    (tmp_path / "state").write_text("a file")
    done = run("apply", cwd=root, env={"XDG_STATE_HOME": str(tmp_path / "state")})
    assert done.returncode == 0 and set(texts(root).values()) == {NEW}
    assert (
        done.stderr.decode().startswith("warning: `placefix undo` will not take this back")
        and done.stderr.count(b"\n") == 2
    )


@pytest.mark.long
@pytest.mark.proof  # a process for each step
def test_killed_at_every_step(tmp_path: Path) -> None:
    """Before each call that changes a file: every file is old or new, and `undo` restores all of them."""
    mixed = 0
    for death in range(1, 100):
        root = tmp_path / str(death) / "repo"
        before = plant(root, 3)
        killed = run("apply", cwd=root, env={"FAKES_DEATH": str(death)}).returncode == -signal.SIGKILL
        now = texts(root)
        assert set(now.values()) <= {OLD, NEW} and now.keys() == before.keys()
        mixed += len(set(now.values())) == 2
        done = run("undo", cwd=root)
        assert done.returncode == (0 if NEW in now.values() else done.returncode)
        assert texts(root) == before
        if NEW in now.values():
            assert leftovers(root) == []
        if not killed:
            break
    assert not killed and mixed >= 4 and death >= 12


@pytest.mark.long
@pytest.mark.proof  # a process for each step
def test_undo_killed_at_every_step(tmp_path: Path) -> None:
    for death in range(1, 100):
        root = tmp_path / str(death) / "repo"
        before = plant(root, 3)
        run("apply", cwd=root)
        killed = run("undo", cwd=root, env={"FAKES_DEATH": str(death)}).returncode == -signal.SIGKILL
        assert set(texts(root).values()) <= {OLD, NEW}
        run("undo", cwd=root)
        assert texts(root) == before
        if not killed:
            break
    assert not killed and death >= 8


@pytest.mark.proof  # a process for each step
def test_killed_at_any_moment(tmp_path: Path) -> None:
    chance = random.Random(5)
    for number in range(6):
        root = tmp_path / str(number) / "repo"
        before = plant(root, 12, "# slow_thing\n" + OLD)
        process = start("apply", cwd=root)
        while not any("device" in text for text in texts(root).values()):
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(chance.random())
        process.kill()
        process.communicate(timeout=300)
        assert {text.splitlines()[-1] + "\n" for text in texts(root).values()} <= {OLD, NEW}
        assert run("undo", cwd=root).returncode == 0
        assert texts(root) == before and leftovers(root) == []


# What can be undone


def test_the_runs_are_listed(repo: Path) -> None:
    assert run("undo", "--list", cwd=repo).returncode == 2
    run("apply", "d0", cwd=repo)
    git(repo, "commit", "-qam", "second")
    run("apply", cwd=repo)
    before = texts(repo)
    done = run("undo", "--list", cwd=repo)
    newest, oldest = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  2 files: d1/f01.py, d1/f03.py", newest)
    assert oldest.endswith("2 files: d0/f00.py, d0/f02.py")
    assert texts(repo) == before
    run("undo", cwd=repo)
    assert len(run("undo", "--list", cwd=repo).stdout.splitlines()) == 1


def test_the_diff_of_an_undo_is_what_undo_does(repo: Path) -> None:
    run("apply", cwd=repo)
    done = run("undo", "--diff", cwd=repo)
    assert done.returncode == 0 and set(texts(repo).values()) == {NEW}
    assert done.stdout.startswith(b"--- a/d0/f00.py\n+++ b/d0/f00.py\n@@ -1 +1 @@\n-model.to(device)\n+model.cuda()\n")
    (repo / "patch").write_bytes(done.stdout)
    git(repo, "apply", "patch")
    assert set(texts(repo).values()) == {OLD}
    assert b"\x1b[" in run("undo", "--diff", "--color", "always", cwd=plain(repo)).stdout


def plain(repo: Path) -> Path:
    git(repo, "checkout", "-q", ".")
    run("apply", cwd=repo)
    return repo


def test_a_summary_names_the_files_and_the_way_back(repo: Path) -> None:
    done = run("apply", cwd=repo)
    assert done.stderr.decode() == (
        "Fixed 4 problems in 4 files: d0/f00.py, d0/f02.py, d1/f01.py, d1/f03.py. "
        "Review with `git diff`, take back with `placefix undo`.\n"
    )
    assert run("apply", cwd=repo).stderr == b"Nothing to fix.\n"


def test_a_summary_names_the_first_of_many_files(tmp_path: Path) -> None:
    plant(tmp_path, 14)
    assert b"d1/f05.py and 4 more. Take back with `placefix undo`." in run("apply", cwd=tmp_path).stderr
