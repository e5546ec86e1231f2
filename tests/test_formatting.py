"""`--format-with`: changed lines are formatted, others stay, and nothing is lost where the formatter fails."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from fakes import run

RUFF = Path(sys.executable).parent / "ruff"
FORMAT = f"{RUFF} format --isolated --no-cache --quiet"

# Badly formatted lines, of which one is fixed; its call gets too long.
TEXT = """\
x = {  'a':1 }

if  x:
    z = [model.cuda()   ,   1]
y   = 2
"""
AFTER = """\
x = {  'a':1 }

if  x:
    z = [model.to(device), 1]
y   = 2
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    if not RUFF.exists():
        pytest.skip("needs ruff")
    (tmp_path / "a.py").write_text(TEXT)
    return tmp_path


def test_changed_lines_alone_are_formatted(folder: Path) -> None:
    done = run("apply", "--format-with", FORMAT, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "a.py").read_text() == AFTER
    assert os.listdir(folder) == ["a.py"]
    assert run("undo", cwd=folder).returncode == 0
    assert (folder / "a.py").read_text() == TEXT


def test_the_diff_is_what_is_written(folder: Path) -> None:
    diff = run("apply", "--diff", "--format-with", FORMAT, cwd=folder)
    assert (diff.returncode, (folder / "a.py").read_text()) == (1, TEXT)
    assert b"+    z = [model.to(device), 1]" in diff.stdout and b"-y" not in diff.stdout
    assert run("check", "--diff", "--format-with", FORMAT, cwd=folder).stdout == diff.stdout
    run("check", "--fix", "--format-with", FORMAT, cwd=folder)
    assert b"model.to(device), 1]" in (folder / "a.py").read_bytes()


def test_what_remains_is_where_the_formatted_text_has_it(folder: Path) -> None:
    arguments = ", ".join(f"argument_{number}" for number in range(9))
    (folder / "a.py").write_text(f"value = call(model.cuda(), {arguments})\nkept.cuda()\n")
    done = run("apply", "--output-format", "concise", "--format-with", FORMAT, cwd=folder)
    lines = (folder / "a.py").read_text().splitlines()
    row = lines.index("kept.cuda()") + 1
    assert row > 2, "the call is wrapped"
    assert done.stdout.decode() == f"a.py:{row}:1: warning PF901 `kept` is on CUDA\n"


@pytest.mark.parametrize(
    ("program", "problem"),
    [
        ("import sys; print('no way', file=sys.stderr); sys.exit(3)", "ends with 3: no way"),
        ("import sys; open(sys.argv[1], 'w').write('z = (\\n')", "not formatted: "),
        (
            "import sys; p = sys.argv[1]; t = open(p).read(); open(p, 'w').write(t.replace(', 1]', ', 2]').replace(',   1]', ', 2]'))",
            "changes the program",
        ),
        ("import sys, os; os.unlink(sys.argv[1])", "No such file"),
    ],
)
def test_a_formatter_that_fails_loses_nothing(folder: Path, program: str, problem: str) -> None:
    (folder / "tool").mkdir()
    (folder / "tool" / "format.txt").write_text(program)
    command = f"{sys.executable} {folder / 'tool' / 'format.txt'}"
    done = run("apply", "--format-with", command, "a.py", cwd=folder)
    assert done.returncode == 0
    assert done.stderr.decode().startswith("warning: a.py: not formatted: ") and problem in done.stderr.decode()
    assert (folder / "a.py").read_text() == TEXT.replace("model.cuda()", "model.to(device)")
    assert sorted(os.listdir(folder)) == ["a.py", "tool"]


def test_wrong_use(folder: Path) -> None:
    before = (folder / "a.py").read_text()
    for arguments, problem in (
        (["apply", "--format-with", "no-such-formatter"], b"no such command"),
        (["apply", "--format-with", "'"], b"No closing quotation"),
        (["apply", "--format-with", "cat", "-"], b"is about files"),
        (["check", "--format-with", "cat"], b"is for --fix and --diff"),
    ):
        done = run(*arguments, cwd=folder)
        assert done.returncode == 2 and problem in done.stderr, done.stderr
    assert (folder / "a.py").read_text() == before


def test_files_without_a_fix_are_not_given_to_it(folder: Path) -> None:
    (folder / "a.py").write_text("y   = 2\nkept.cuda()\n")
    log = folder / "log"
    assert shutil.which("touch")
    run("apply", "--format-with", f"touch {log}", cwd=folder)
    assert not log.exists()
