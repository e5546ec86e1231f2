"""The outputs: diffs that git and patch take, byte for byte, and the three formats of findings."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from fakes import run
from placefix.report import FORMATS, load
from placefix.report.diff import hunks

if TYPE_CHECKING:
    from pathlib import Path


def need(tool: str) -> None:
    """Skip where a developer lacks the tool; where tests count they must run."""
    if shutil.which(tool) is None and not os.environ.get("CI"):
        pytest.skip(f"{tool} is not installed")


# name → (bytes before, bytes after); what `apply` must make of the file.
TEXTS = {
    "plain": (b"a = 1\nmodel.cuda()\nb = 2\n", b"a = 1\nmodel.to(device)\nb = 2\n"),
    "no final newline": (b"a = 1\nmodel.cuda()", b"a = 1\nmodel.to(device)"),
    "no final newline, change elsewhere": (b"model.cuda()\n\n\n\n\nb = 2", b"model.to(device)\n\n\n\n\nb = 2"),
    "carriage returns": (b"a = 1\r\nmodel.cuda()\r\n", b"a = 1\r\nmodel.to(device)\r\n"),
    "mixed newlines": (b"a = 1\nmodel.cuda()\r\nb = 2\n", b"a = 1\nmodel.to(device)\r\nb = 2\n"),
    "lone carriage returns": (b"a = 1\rmodel.cuda()\rb = 2\r", b"a = 1\rmodel.to(device)\rb = 2\r"),
    "form feed": (b"a = 1\n\x0c\nmodel.cuda()\n\x0cb = 2\n", b"a = 1\n\x0c\nmodel.to(device)\n\x0cb = 2\n"),
    "other line ends of Unicode": (
        "s = '\u2028 \x0b \x85 \x1c'\nmodel.cuda()\n".encode(),
        "s = '\u2028 \x0b \x85 \x1c'\nmodel.to(device)\n".encode(),
    ),
    "byte order mark": (b"\xef\xbb\xbfmodel.cuda()\n", b"\xef\xbb\xbfmodel.to(device)\n"),
    "latin-1": (
        b"# coding: latin-1\ns = '\xe9'; model.cuda()\n",
        b"# coding: latin-1\ns = '\xe9'; model.to(device)\n",
    ),
    "shift-jis": (
        "# coding: shift_jis\ns = '表'; model.cuda()\n".encode("shift_jis"),
        "# coding: shift_jis\ns = '表'; model.to(device)\n".encode("shift_jis"),
    ),
    "lines that look like a diff": (
        b"'''\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n'''\nmodel.cuda()\n",
        b"'''\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n'''\nmodel.to(device)\n",
    ),
    "several hunks": (
        b"model.cuda()\n" + b"x = 1\n" * 20 + b"model.cuda()\n" + b"y = 2\n" * 9,
        b"model.to(device)\n" + b"x = 1\n" * 20 + b"model.to(device)\n" + b"y = 2\n" * 9,
    ),
}

NAMES = (
    "plain.py",
    "with space.py",
    "deep er/down/file.py",
    "日本.py",
    'quo"te.py',
    "back\\slash.py",
    "tab\there.py",
    "new\nline.py",
    "-dash.py",
    "2020-01-01 00:00:00.py",
    "ends with space ",
)


def _git(folder: Path, *args: str, stdin: bytes = b"") -> None:
    command = ["git", "-c", "core.autocrlf=false", *args]
    done = subprocess.run(command, cwd=folder, input=stdin, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def _patch(folder: Path, *args: str, stdin: bytes = b"") -> None:
    done = subprocess.run(["patch", "-p1", "-s", *args], cwd=folder, input=stdin, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file() and ".git" not in p.parts
    }


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder of every text under a plain name, and a plain text under every name."""
    for number, (before, _) in enumerate(TEXTS.values()):
        (tmp_path / f"text{number:02}.py").write_bytes(before)
    for name in NAMES:
        file = tmp_path / "names" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(TEXTS["plain"][0])
    return tmp_path


def changed(tree: Path) -> dict[str, bytes]:
    texts = {f"text{number:02}.py": after for number, (_, after) in enumerate(TEXTS.values())}
    return texts | {f"names/{name}": TEXTS["plain"][1] for name in NAMES}


def paths(tree: Path) -> list[str]:
    return sorted(snapshot(tree))


def test_apply_writes_exactly_the_fix(tree: Path) -> None:
    result = run("apply", *paths(tree), cwd=tree)
    assert (result.returncode, result.stdout) == (0, b"")
    assert snapshot(tree) == changed(tree)


@pytest.mark.parametrize("tool", ["git", "patch"])
def test_the_diff_is_the_change_and_its_reverse(tree: Path, tool: str) -> None:
    need(tool)
    original = snapshot(tree)
    result = run("apply", "--diff", *paths(tree), cwd=tree)
    assert result.returncode == 1
    assert snapshot(tree) == original, "--diff wrote something"
    if tool == "git":
        _git(tree, "apply", stdin=result.stdout)
    else:
        _patch(tree, stdin=result.stdout)
    assert snapshot(tree) == changed(tree)
    if tool == "git":
        _git(tree, "apply", "-R", stdin=result.stdout)
    else:
        _patch(tree, "-R", stdin=result.stdout)
    assert snapshot(tree) == original


def test_the_diff_applies_where_it_was_made(tmp_path: Path) -> None:
    """Names are relative to the working directory, inside a repository and below its root."""
    _git(tmp_path, "init", "-q")
    sub = tmp_path / "sub"
    sub.mkdir()
    (sub / "a.py").write_bytes(b"model.cuda()\n")
    diff = run("apply", "--diff", cwd=sub).stdout
    assert diff.startswith(b"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n")
    _git(sub, "apply", stdin=diff)
    assert (sub / "a.py").read_bytes() == b"model.to(device)\n"


def test_the_diff_of_a_file_elsewhere_is_named_from_the_root(tmp_path: Path) -> None:
    need("patch")
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    (there / "a.py").write_bytes(b"model.cuda()\n")
    (here / "link.py").symlink_to("../there/a.py")  # patch and git refuse links: the file itself is named
    for path in ("../there/a.py", "link.py"):
        diff = run("apply", "--diff", path, cwd=here).stdout
        assert diff.splitlines()[0] == f"--- a{there / 'a.py'}".encode()
    _patch(here, "-d", "/", stdin=diff)
    assert (there / "a.py").read_bytes() == b"model.to(device)\n"


def test_file_names_that_are_no_text(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff.py")
    try:
        (tmp_path / name).write_bytes(b"model.cuda()\nkept.cuda(\n")
    except OSError:
        pytest.skip("this file system has only names that are text")
    result = run("check", cwd=tmp_path)
    assert result.returncode == 2 and result.stderr.startswith(b"error: \\udcff.py:2:10: cannot be parsed")
    (tmp_path / name).write_bytes(b"model.cuda()\n")
    assert run("check", "--output-format", "concise", cwd=tmp_path).stdout.startswith(b"\xff.py:1:1: warning PF901")
    assert json.loads(run("check", "--output-format", "json", cwd=tmp_path).stdout)[0]["filename"].endswith("\ufffd.py")
    diff = run("apply", "--diff", cwd=tmp_path).stdout
    assert diff.startswith(b"--- a/\xff.py\n")
    _git(tmp_path, "apply", stdin=diff)
    assert (tmp_path / name).read_bytes() == b"model.to(device)\n"


FULL = """\
a.py: 4 warnings

a.py:2:2: warning PF901 [*] `model` is on CUDA
  2 |     model.cuda()
    |     ^^^^^^^^^^^^
  fix: Move `model` to the device
    @@ -1,3 +1,3 @@
     if x:
    -\tmodel.cuda()
    +\tmodel.to(device)
     s = "日本", risky.cuda()

a.py:3:11: warning PF901 `risky` is on CUDA
  3 | s = "日本", risky.cuda()
    |             ^^^^^^^^^^^^
  unsafe fix: Move `risky` to the device
  because: risky may be anything
    @@ -2,3 +2,3 @@
     \tmodel.cuda()
    -s = "日本", risky.cuda()
    +s = "日本", risky.to(device)
     kept.cuda()

a.py:4:1: warning PF901 `kept` is on CUDA
  4 | kept.cuda()
    | ^^^^^^^^^^^
  note: kept is meant to stay there

a.py:5:1: warning PF901 `shown` is on CUDA
  5 | shown.cuda()
    | ^^^^^^^^^^^^
  suggestion, never applied: Move `shown` to the device
  because: only you know what shown is
    @@ -4,2 +4,2 @@
     kept.cuda()
    -shown.cuda()
    \\ No newline at end of file
    +shown.to(device)
    \\ No newline at end of file

"""


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A file with a finding of every kind."""
    text = 'if x:\n\tmodel.cuda()\ns = "日本", risky.cuda()\nkept.cuda()\nshown.cuda()'
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    return tmp_path


def test_full(mixed: Path) -> None:
    result = run("check", cwd=mixed, env={"PYTHONUTF8": "1"})
    assert result.stdout.decode() == FULL
    assert result.stderr.decode() == (
        "Found 4 problems in 1 file: 4 warnings (1 fixable with `placefix apply`, 1 more with --unsafe-fixes). "
        "More may follow from the fixes: `placefix check --preview` lists it.\n"
    )


def test_colour_changes_nothing_but_colour(mixed: Path) -> None:
    plain = run("check", cwd=mixed).stdout
    for term in ("xterm", "xterm-256color", "dumb"):
        coloured = run("check", "--color", "always", cwd=mixed, env={"TERM": term}).stdout
        assert b"\x1b[" in coloured
        assert re.sub(rb"\x1b\[[0-9;]*m", b"", coloured) == plain
    diff = run("apply", "--diff", cwd=mixed).stdout
    coloured = run("apply", "--diff", "--color", "always", cwd=mixed).stdout
    assert b"\x1b[32m+\tmodel.to(device)\x1b[0m" in coloured
    assert re.sub(rb"\x1b\[[0-9;]*m", b"", coloured) == diff


def test_concise(mixed: Path) -> None:
    command = ["check", "--output-format", "concise"]
    assert run(*command, cwd=mixed).stdout.decode().splitlines() == [
        "a.py:2:2: warning PF901 [*] `model` is on CUDA",
        "a.py:3:11: warning PF901 `risky` is on CUDA",
        "a.py:4:1: warning PF901 `kept` is on CUDA",
        "a.py:5:1: warning PF901 `shown` is on CUDA",
    ]
    assert run(*command, "--unsafe-fixes", cwd=mixed).stdout.count(b"[*]") == 2


def test_json(mixed: Path) -> None:
    findings = json.loads(run("check", "--output-format", "json", cwd=mixed).stdout)
    assert findings[1] == {
        "code": "PF901",
        "name": "fake-cuda",
        "url": None,
        "severity": "warning",
        "message": "`risky` is on CUDA",
        "filename": str(mixed / "a.py"),
        "location": {"row": 3, "column": 11},
        "end_location": {"row": 3, "column": 23},
        "cell": None,
        "note": None,
        "fix": {
            "applicability": "unsafe",
            "message": "Move `risky` to the device",
            "premise": "risky may be anything",
            "premises": [{"key": "anything", "text": "risky may be anything"}],
            "edits": [
                {
                    "content": "risky.to(device)",
                    "location": {"row": 3, "column": 11},
                    "end_location": {"row": 3, "column": 23},
                }
            ],
            "also": [],
        },
    }
    assert [f["fix"] and f["fix"]["applicability"] for f in findings] == ["safe", "unsafe", None, "display"]
    assert [f["fix"] and f["fix"]["premise"] for f in findings] == [
        None,
        "risky may be anything",
        None,
        "only you know what shown is",
    ]
    assert [f["note"] for f in findings] == [None, None, "kept is meant to stay there", None]


def test_json_edits_give_the_fixed_text(mixed: Path) -> None:
    text = (mixed / "a.py").read_text(encoding="utf-8")
    lines = text.split("\n")

    def offset(place: dict[str, int]) -> int:
        return sum(len(line) + 1 for line in lines[: place["row"] - 1]) + place["column"] - 1

    findings = json.loads(run("check", "--output-format", "json", cwd=mixed).stdout)
    edits = [edit for f in findings if f["fix"] and f["fix"]["applicability"] == "safe" for edit in f["fix"]["edits"]]
    for edit in reversed(edits):
        text = text[: offset(edit["location"])] + edit["content"] + text[offset(edit["end_location"]) :]
    run("apply", cwd=mixed)
    assert (mixed / "a.py").read_text(encoding="utf-8") == text


def test_json_of_nothing_is_an_empty_list(tmp_path: Path) -> None:
    result = run("check", "--output-format", "json", cwd=tmp_path)
    assert (result.returncode, json.loads(result.stdout)) == (0, [])


def test_no_terminal_control_gets_through(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"s = '\x1b[31m\x9b'; model.cuda()\n".replace(b"\x9b", "\x9b".encode()))
    shown = run("check", cwd=tmp_path).stdout
    assert b"\x1b" not in shown and rb"\x1b[31m\x9b" in shown
    coloured = run("apply", "--diff", "--color", "always", cwd=tmp_path).stdout
    assert b"\x1b[31m\xc2\x9b" not in coloured and rb"\x1b[31m\x9b" in coloured
    assert b"\x1b[31m\xc2\x9b" in run("apply", "--diff", cwd=tmp_path).stdout  # the patch itself is exact


def test_a_finding_whose_fix_cannot_be_made_is_still_shown(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("bad_edit\nmodel.cuda()\n")
    for output_format, expected in (("full", 2), ("json", 2), ("concise", 1)):
        result = run("check", "--output-format", output_format, cwd=tmp_path)
        assert result.returncode == expected
        assert result.stdout.count(b"PF903") == result.stdout.count(b"PF901") == 1
        assert (b"error: a.py: placefix failed" in result.stderr) == (expected == 2)


def test_every_format_loads() -> None:
    for name in FORMATS:
        assert callable(load(name).render)


def test_a_diff_shows_only_the_lines_that_change() -> None:
    """Also in a long file, where a line beside a change occurs often."""
    block = "add(\n    'x',\n    type=str,\n)\n"
    before = block * 60
    after = block * 30 + block.replace("'x'", "'y'").replace("add", "put") + block * 29
    assert [line for line in hunks(before, after) if line[0] in "+-"] == ["-add(", "-    'x',", "+put(", "+    'y',"]
    after = block * 30 + block.replace("'x'", "'y'").replace(")", ")  # last") + block * 29
    assert [line for line in hunks(before, after) if line[0] in "+-"] == ["-    'x',", "+    'y',", "-)", "+)  # last"]
