"""`--base-ref`: findings on lines that have changed since a commit, and no others."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

import placefix
from fakes import git, run

if TYPE_CHECKING:
    from pathlib import Path

# Findings on the first and the last line.
OLD = "a.cuda()\nx = 1\ny = 2\nb.cuda()\n"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    (root / "sub").mkdir(parents=True)
    (root / "old.py").write_text(OLD)
    (root / "sub" / "other.py").write_text(OLD)
    git(root, "init", "-q", "-b", "trunk")
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")
    return root


def found(cwd: Path, *arguments: str, rev: str = "trunk", env: dict[str, str] | None = None) -> list[str]:
    """FILE:ROW of each finding."""
    done = run("check", "--base-ref", rev, "--output-format", "concise", *arguments, cwd=cwd, env=env)
    assert done.returncode == bool(done.stdout), done.stderr
    return [":".join(line.split(":")[:2]) for line in done.stdout.decode().splitlines()]


def test_nothing_has_changed(repo: Path) -> None:
    assert found(repo) == []
    assert run("check", cwd=repo).returncode == 1


@pytest.mark.parametrize("state", ["working tree", "staged", "committed"])
def test_changed_lines(repo: Path, state: str) -> None:
    (repo / "old.py").write_text("new.cuda()\n" + OLD.replace("b", "bb"))
    if state != "working tree":
        git(repo, "checkout", "-qb", "topic")
        git(repo, "add", ".")
    if state == "committed":
        git(repo, "commit", "-qm", "second")
    assert found(repo) == ["old.py:1", "old.py:5"]
    assert found(repo, "old.py") == ["old.py:1", "old.py:5"]
    assert found(repo, "sub") == []


def test_lines_that_have_gone_are_no_changed_lines(repo: Path) -> None:
    (repo / "old.py").write_text(OLD.replace("x = 1\n", ""))
    assert found(repo) == []


def test_what_git_does_not_know_has_changed_as_a_whole(repo: Path) -> None:
    (repo / "new.py").write_text(OLD)
    (repo / "added.py").write_text(OLD)
    (repo / ".gitignore").write_text("ignored.py\n")
    (repo / "ignored.py").write_text(OLD)
    git(repo, "add", "added.py")
    assert found(repo) == ["added.py:1", "added.py:4", "new.py:1", "new.py:4"]
    assert found(repo, "ignored.py") == ["ignored.py:1", "ignored.py:4"]


def test_a_renamed_file_is_the_one_it_was(repo: Path) -> None:
    body = "".join(f"v{number} = {number}\n" for number in range(20))
    (repo / "old.py").write_text(OLD + body)
    git(repo, "commit", "-qam", "long")
    git(repo, "mv", "old.py", "sub/renamed.py")
    assert found(repo) == []
    (repo / "sub" / "renamed.py").write_text(OLD.replace("b", "bb") + body)
    assert found(repo) == ["sub/renamed.py:4"]


def test_from_a_folder_inside(repo: Path) -> None:
    for name in ("old.py", "sub/other.py"):
        (repo / name).write_text("new.cuda()\n" + OLD)
    assert found(repo / "sub") == ["other.py:1"]
    assert found(repo / "sub", "..") == ["../old.py:1", "../sub/other.py:1"]


def test_several_repositories_have_commits_of_their_own(repo: Path, tmp_path: Path) -> None:
    second = tmp_path / "second"
    second.mkdir()
    (second / "old.py").write_text("first.cuda()\n")
    git(second, "init", "-q", "-b", "trunk")
    git(second, "add", ".")
    git(second, "commit", "-qm", "first")
    (second / "old.py").write_text("first.cuda()\nnew.cuda()\n")
    (repo / "old.py").write_text("new.cuda()\n" + OLD)
    assert found(tmp_path, "repo", "second") == ["repo/old.py:1", "second/old.py:2"]
    git(second, "branch", "-m", "main")
    done = run("check", "--base-ref", "trunk", "repo", "second", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.decode() == f"error: --base-ref: there is no commit 'trunk' in {second}\n"


def test_a_repository_inside_of_another(repo: Path) -> None:
    """Its files are its own matter, as those of a submodule are."""
    inner = repo / "sub" / "inner"
    inner.mkdir()
    (inner / "own.py").write_text(OLD)
    git(inner, "init", "-q", "-b", "trunk")
    git(inner, "add", ".")
    git(inner, "commit", "-qm", "inner")
    (inner / "own.py").write_text(OLD + "c.cuda()\n")
    (repo / "old.py").write_text("c.cuda()\n" + OLD)
    assert found(repo) == ["old.py:1", "sub/inner/own.py:5"]


@pytest.mark.parametrize(
    "name", ["with space.py", "tab\there.py", 'quo"te.py', "back\\slash.py", "größe.py", "日本.py", "b/+++ b.py"]
)
def test_names(repo: Path, name: str) -> None:
    (repo / name).parent.mkdir(exist_ok=True)
    (repo / name).write_text(OLD)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "named")
    (repo / name).write_text(OLD.replace("b.", "bb."))
    done = run("check", "--base-ref", "HEAD", "--output-format", "json", cwd=repo)
    told = json.loads(done.stdout)
    assert [(os.path.relpath(item["filename"], repo), item["location"]["row"]) for item in told] == [(name, 4)]


@pytest.mark.parametrize("end", ["\r\n", "\r", ""])
def test_line_ends(repo: Path, end: str) -> None:
    lines = ["a.cuda()", "x = 1", "b.cuda()", "c.cuda()"]
    (repo / "ends.py").write_bytes(((end or "\n").join(lines) + end).encode())
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "ends")
    lines[2] = "bb.cuda()"
    (repo / "ends.py").write_bytes(((end or "\n").join(lines) + end).encode())
    whole = ["ends.py:1", "ends.py:3", "ends.py:4"]  # to git a file without line feeds is one line
    assert found(repo, rev="HEAD") == (whole if end == "\r" else ["ends.py:3"])


def test_content_that_looks_like_a_diff(repo: Path) -> None:
    git(repo, "commit", "--allow-empty", "-qm", "again")
    (repo / "old.py").write_text('s = """\n++ b/sub/other.py\n@@ -1,4 +1,4 @@\ndiff --git a/x b/x\n"""\n' + OLD)
    assert found(repo) == []
    (repo / "old.py").write_text('s = """\n++ b/sub/other.py\n@@ -1 +1,4 @@\n"""\n' + OLD + "new.cuda()\n")
    assert found(repo) == ["old.py:9"]


def test_no_configuration_of_git_changes_the_answer(repo: Path) -> None:
    for key, value in {
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.context": "5",
        "diff.interHunkContext": "5",
        "diff.external": "/bin/false",
        "diff.renames": "false",
        "diff.relative": "true",
        "color.ui": "always",
        "diff.shout.textconv": "tr a-z A-Z <",
    }.items():
        git(repo, "config", key, value)
    (repo / ".gitattributes").write_text("*.py diff=shout\nsub/*.py -diff\n")
    (repo / "old.py").write_text(OLD.replace("b", "bb"))
    (repo / "sub" / "other.py").write_text(OLD.replace("b", "bb"))
    env = {
        "GIT_DIFF_OPTS": "--unified=5",
        "GIT_DIR": "nowhere",
        "GIT_EXTERNAL_DIFF": "/bin/false",
        "GIT_GLOB_PATHSPECS": "1",
    }
    assert found(repo, env=env) == ["old.py:4", "sub/other.py:4"]
    assert found(repo / "sub", env=env) == ["other.py:4"]


def test_what_a_filter_hides_has_changed_as_a_whole(repo: Path) -> None:
    git(repo, "config", "filter.headless.clean", "tail -n +2")
    (repo / ".gitattributes").write_text("sub/*.py filter=headless\nold.py filter=not_there\n")
    for name in ("old.py", "sub/other.py"):
        (repo / name).write_text(OLD.replace("b", "bb"))
    assert found(repo) == ["old.py:4", "sub/other.py:1", "sub/other.py:4"]


def test_a_range_that_touches_a_changed_line_counts(repo: Path) -> None:
    text = "import torch\n\nmodel = torch.nn.Linear(2, 2)\nmodel.cuda(\n    None,\n)\nx = 1\n"
    (repo / "long.py").write_text(text)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "long")
    for row, (old, new) in {3: ("(2, 2)", "(3, 2)"), 5: ("None", "device=None"), 7: ("x", "y")}.items():
        (repo / "long.py").write_text(text.replace(old, new))
        [result] = placefix.check_paths(
            [repo], isolated=True, base_ref="HEAD", options=placefix.Options(select=("PF401",))
        )
        assert len(result.remaining) == (row == 5), row


# apply


def test_apply_repairs_changed_lines(repo: Path) -> None:
    (repo / "old.py").write_text("new.cuda()\nkept.cuda()\n" + OLD)
    git(repo, "commit", "-qam", "second")
    done = run("apply", "--diff", "--base-ref", "HEAD~", cwd=repo)
    assert done.returncode == 1
    assert [line for line in done.stdout.decode().splitlines() if line[0] in "+-"][2:] == [
        "-new.cuda()",
        "+new.to(device)",
    ]
    done = run("apply", "--base-ref", "HEAD~", "--output-format", "concise", cwd=repo)
    assert done.returncode == 0
    assert done.stdout.startswith(b"old.py:2:1") and done.stdout.count(b"\n") == 1
    assert (repo / "old.py").read_text() == "new.to(device)\nkept.cuda()\n" + OLD
    assert (repo / "sub" / "other.py").read_text() == OLD
    assert run("undo", cwd=repo).returncode == 0
    assert (repo / "old.py").read_text() == "new.cuda()\nkept.cuda()\n" + OLD


def test_uncommitted_changes_are_asked_about_as_ever(repo: Path) -> None:
    (repo / "old.py").write_text("new.cuda()\n" + OLD)
    assert run("apply", "--base-ref", "trunk", cwd=repo).returncode == 2
    assert run("apply", "--base-ref", "trunk", "--allow-dirty", cwd=repo).returncode == 0
    assert (repo / "old.py").read_text() == "new.to(device)\n" + OLD


def test_lines_are_followed_through_fixes(repo: Path) -> None:
    """The first fix inserts lines above; what stands on old lines stays as it is."""
    text = "import torch\n\nmodel = torch.nn.Linear(2, 2)\nx = torch.ones(2)\nmodel(x)\nother = torch.nn.Linear(2, 2)\nother.cuda()\n"
    (repo / "net.py").write_text(text)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "net")
    (repo / "net.py").write_text(text.replace("model(x)\n", "model.cuda()\nmodel(x.cuda())\n"))
    results = placefix.fix_paths(
        [repo / "net.py"], isolated=True, base_ref="HEAD", options=placefix.Options(select=("PF4",))
    )
    after = (repo / "net.py").read_text()
    assert results[0].written and "model.to(device)\nmodel(x.to(device))\n" in after
    assert after.endswith("other = torch.nn.Linear(2, 2)\nother.cuda()\n")


def test_a_fix_of_a_whole_script_is_not_half_done(repo: Path) -> None:
    script = (
        "import torch\n\nmodel = torch.nn.Linear(2, 2)\noptimizer = torch.optim.SGD(model.parameters(), 0.1)\n"
        "for _ in range(3):\n    model(torch.ones(2, 2)).sum().backward()\n    optimizer.step()\n"
    )
    (repo / "script.py").write_text(script)
    options = placefix.Options(select=("PF501", "PF302"))
    whole = placefix.fix_paths([repo / "script.py"], isolated=True, base_ref="HEAD", options=options, write=False)
    assert isinstance(whole[0].outcome, placefix.Changed)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "script")
    (repo / "script.py").write_text(script.replace("Linear(2, 2)", "Linear(2, 2, bias=False)"))
    part = placefix.fix_paths([repo / "script.py"], isolated=True, base_ref="HEAD", options=options, write=False)
    assert isinstance(part[0].outcome, placefix.Unchanged)
    assert [(d.code, d.fix, d.note) for d in part[0].remaining] == [
        ("PF501", None, "not fixed: the fixes that follow from it may change other lines than the changed ones")
    ]


def test_a_file_that_does_not_parse_is_mended_as_a_whole(repo: Path) -> None:
    text = "x = x.cuda(async=True)\ny = 1\n"
    (repo / "legacy.py").write_text(text)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "legacy")
    (repo / "legacy.py").write_text(text + "z = 2\n")
    results = placefix.check_paths([repo], isolated=True, base_ref="HEAD", options=placefix.Options(select=("PF400",)))
    assert [d.code for result in results for d in result.remaining] == ["PF400"]


# Notebooks


def notebook(*cells: str) -> str:
    def cell(text: str) -> dict[str, object]:
        lines = text.splitlines(keepends=True)
        return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": lines}

    return json.dumps(
        {"cells": [cell(text) for text in cells], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1
    )


def test_notebooks_by_the_lines_of_the_file(repo: Path) -> None:
    (repo / "n.ipynb").write_text(notebook("%matplotlib inline\na.cuda()\nx = 1\n", "b.cuda()\nc.cuda()\n"))
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "notebook")
    (repo / "n.ipynb").write_text(
        notebook("%matplotlib inline\na.cuda()\nx = 2\n", "b.cuda()\ncc.cuda()\n", "d.cuda()\n")
    )
    done = run("check", "--base-ref", "HEAD", "--output-format", "concise", cwd=repo)
    assert [line.split(": ")[0] for line in done.stdout.decode().splitlines()] == [
        "n.ipynb:cell 2:2:1",
        "n.ipynb:cell 3:1:1",
    ]
    assert run("apply", "--base-ref", "HEAD", "--allow-dirty", cwd=repo).returncode == 0
    texts = ["".join(cell["source"]) for cell in json.loads((repo / "n.ipynb").read_text())["cells"]]
    assert texts == ["%matplotlib inline\na.cuda()\nx = 2\n", "b.cuda()\ncc.to(device)\n", "d.to(device)\n"]


# What cannot be


@pytest.mark.parametrize("rev", ["nowhere", "--output=x", "", "HEAD:old.py", "trunk~7"])
def test_no_such_commit(repo: Path, rev: str) -> None:
    done = run("check", f"--base-ref={rev}", cwd=repo)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"error: --base-ref: there is no commit {rev!r} in {repo}\n"
    assert not (repo / "x").exists()


def test_no_work_tree(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(OLD)
    for paths in ([], ["a.py"]):
        done = run("apply", "--base-ref", "HEAD", *paths, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (2, b"error: --base-ref: . is in no git work tree\n")
    assert (tmp_path / "a.py").read_text() == OLD
    with pytest.raises(placefix.RunError, match="no git work tree"):
        placefix.check_paths([tmp_path], base_ref="HEAD")


def test_no_git(repo: Path) -> None:
    done = run("check", "--base-ref", "HEAD", cwd=repo, env={"PATH": "/nowhere"})
    assert done.returncode == 2
    assert done.stderr.decode() == f"error: git cannot be run in {repo}: No such file or directory\n"


def test_a_bad_commit_is_named_where_there_is_no_file(repo: Path) -> None:
    (repo / "empty").mkdir()
    assert run("check", "--base-ref", "nowhere", "empty", cwd=repo).returncode == 2
    assert run("check", "--base-ref", "trunk", "empty", cwd=repo).returncode == 0
    done = run("check", "--base-ref", "trunk", "absent.py", cwd=repo)
    assert done.returncode == 2 and b"absent.py" in done.stderr


def test_standard_input_is_no_file(repo: Path) -> None:
    done = run("check", "--base-ref", "trunk", "-", cwd=repo, stdin=b"a.cuda()\n")
    assert done.returncode == 2 and b"--base-ref is about files" in done.stderr


def test_caches_know_the_lines(repo: Path, tmp_path: Path) -> None:
    for number in range(25):
        (repo / f"m{number:02}.py").write_text(OLD)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "many")
    for number in range(25):
        (repo / f"m{number:02}.py").write_text("new.cuda()\n" + OLD)
    expected = [f"m{number:02}.py:1" for number in range(25)]
    assert found(repo, rev="HEAD") == expected
    assert found(repo, rev="HEAD") == expected
    assert len(found(repo, rev="HEAD~")) == 25 * 3
    assert found(repo, "--jobs", "2", "--no-cache", rev="HEAD") == expected
