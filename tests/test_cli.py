"""The command line's contract: arguments, streams, exit codes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import placefix
from fakes import run, start
from placefix.report import FORMATS

OLD, NEW = b"model.cuda()\n", b"model.to(device)\n"
SUMMARY = b"Found 1 problem in 1 file: 1 warning (1 fixable with `placefix apply`).\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one file to fix."""
    (tmp_path / "a.py").write_bytes(OLD)
    return tmp_path


# name → (arguments, exit code): one file to fix (a.py), one quiet (b.py), one unsafe (u.py), one broken (s.py)
EXITS = {
    "check, findings": (["check", "a.py"], 1),
    "check, nothing": (["check", "b.py"], 0),
    "check, findings without fixes": (["check", "u.py"], 1),
    "check, broken": (["check", "s.py"], 2),
    "check, broken and findings": (["check", "a.py", "s.py"], 2),
    "check, missing": (["check", "a.py", "absent.py"], 2),
    "check, empty folder": (["check", "empty"], 0),
    "check, exit zero": (["check", "--exit-zero", "a.py"], 0),
    "check, exit zero, statistics": (["check", "--exit-zero", "--statistics", "a.py"], 0),
    "check, exit zero, broken": (["check", "--exit-zero", "a.py", "s.py"], 2),
    "apply, exit non-zero on fix": (["apply", "--exit-non-zero-on-fix", "a.py"], 1),
    "apply, exit non-zero on fix, nothing": (["apply", "--exit-non-zero-on-fix", "b.py"], 0),
    "apply, exit non-zero on fix, findings remain": (["apply", "--exit-non-zero-on-fix", "u.py"], 0),
    "apply, exit non-zero on fix, broken": (["apply", "--exit-non-zero-on-fix", "a.py", "s.py"], 2),
    "apply, fixed": (["apply", "a.py"], 0),
    "apply, nothing": (["apply", "b.py"], 0),
    "apply, findings remain": (["apply", "u.py"], 0),
    "apply, broken": (["apply", "s.py", "a.py"], 2),
    "apply, missing": (["apply", "absent.py"], 2),
    "diff": (["apply", "--diff", "a.py"], 1),
    "diff, nothing": (["apply", "--diff", "b.py"], 0),
    "diff, unsafe only": (["apply", "--diff", "u.py"], 0),
    "diff, unsafe asked for": (["apply", "--diff", "--unsafe-fixes", "u.py"], 1),
    "diff, exit zero": (["apply", "--diff", "--exit-zero", "a.py"], 0),
    "diff, exit zero, broken": (["apply", "--diff", "--exit-zero", "a.py", "s.py"], 2),
    "apply, exit zero": (["apply", "--exit-zero", "a.py"], 2),
    "diff, broken": (["apply", "--diff", "a.py", "s.py"], 2),
    "rule": (["rule", "PF901"], 0),
    "rule, by name": (["rule", "fake-cuda"], 0),
    "rules": (["rule", "--all"], 0),
    "rule, unknown": (["rule", "PF999"], 2),
    "rule, none": (["rule"], 2),
    "rule, both": (["rule", "PF901", "--all"], 2),
    "version": (["--version"], 0),
    "help": (["--help"], 0),
    "no command": ([], 2),
    "unknown command": (["chekc"], 2),
    "unknown option": (["check", "--fxi"], 2),
    "check, fix": (["check", "--fix", "a.py"], 0),
    "check, fix, nothing": (["check", "--fix", "b.py"], 0),
    "check, fix, findings remain": (["check", "--fix", "a.py", "u.py"], 1),
    "check, fix, exit zero": (["check", "--fix", "--exit-zero", "u.py"], 0),
    "check, fix, broken": (["check", "--fix", "a.py", "s.py"], 2),
    "check, fix, exit non-zero on fix": (["check", "--fix", "--exit-non-zero-on-fix", "a.py"], 1),
    "check, exit non-zero on fix without fix": (["check", "--exit-non-zero-on-fix", "a.py"], 2),
    "check, diff": (["check", "--diff", "a.py"], 1),
    "check, diff, nothing": (["check", "--diff", "b.py"], 0),
    "check, fix and diff": (["check", "--fix", "--diff", "a.py"], 1),
    "check, fix and statistics": (["check", "--fix", "--statistics", "a.py"], 2),
    "check, fix and preview": (["check", "--fix", "--preview", "a.py"], 2),
    "apply, dry run": (["apply", "--dry-run", "a.py"], 1),
    "short help": (["-h"], 0),
    "short help of a command": (["check", "-h"], 0),
    "short version": (["-V"], 0),
    "unknown rule": (["check", "--select", "PF7", "a.py"], 2),
    "unknown ignored rule": (["check", "--ignore", "PF901,PF7", "a.py"], 2),
    "unknown format": (["check", "--output-format", "yaml", "a.py"], 2),
    "unknown colour": (["check", "--color", "blue", "a.py"], 2),
    "bad torch": (["check", "--target-torch", "two", "a.py"], 2),
    "bad idiom": (["check", "--device-idiom", "tpu", "a.py"], 2),
    "bad name": (["check", "--device-name", "1x", "a.py"], 2),
    "bad pattern": (["check", "--exclude", "[z-a]", "a.py"], 2),
    "missing configuration": (["check", "--config", "absent.toml", "a.py"], 2),
    "stdin and more": (["check", "-", "a.py"], 2),
    "name without stdin": (["check", "--stdin-filename", "x.py", "a.py"], 2),
}


@pytest.mark.parametrize("case", EXITS)
def test_exit_codes(folder: Path, case: str) -> None:
    (folder / "b.py").write_bytes(b"x = 1\n")
    (folder / "u.py").write_bytes(b"risky.cuda()\n")
    (folder / "s.py").write_bytes(b"model.cuda(\n")
    (folder / "empty").mkdir()
    args, expected = EXITS[case]
    result = run(*args, cwd=folder)
    assert result.returncode == expected, result.stderr.decode()
    assert b"Traceback" not in result.stderr
    if expected == 2:
        assert result.stderr, "an error is never silent"


def test_streams(folder: Path) -> None:
    check = run("check", cwd=folder)
    assert check.stdout.startswith(b"a.py: 1 warning\n\na.py:1:1: warning PF901 [*] ")
    assert check.stderr == SUMMARY
    assert run("check", "--quiet", cwd=folder).stderr == b""
    diff = run("apply", "--diff", cwd=folder)
    assert diff.stdout == b"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-model.cuda()\n+model.to(device)\n"
    assert diff.stderr == b"Would fix 1 problem in 1 file.\n"
    assert run("apply", "--diff", "-q", cwd=folder).stderr == b""
    apply = run("apply", cwd=folder)
    assert (apply.stdout, apply.stderr) == (b"", b"Fixed 1 problem in 1 file: a.py. Take back with `placefix undo`.\n")
    assert (folder / "a.py").read_bytes() == NEW
    again = run("apply", cwd=folder)
    assert (again.stdout, again.stderr) == (b"", b"Nothing to fix.\n")
    assert run("check", cwd=folder).stderr == b"Nothing found in 1 file.\n"


def test_quiet_does_not_hide_errors(folder: Path) -> None:
    result = run("check", "-q", "absent.py", cwd=folder)
    assert result.stderr == b"error: absent.py: No such file or directory\n"


def test_apply_reports_what_remains(folder: Path) -> None:
    (folder / "a.py").write_bytes(b"model.cuda()\nrisky.cuda()\nkept.cuda()\n")
    result = run("apply", "--output-format", "concise", cwd=folder)
    assert result.returncode == 0
    assert result.stdout == b"a.py:2:1: warning PF901 `risky` is on CUDA\na.py:3:1: warning PF901 `kept` is on CUDA\n"
    assert result.stderr == (
        b"Fixed 1 problem in 1 file: a.py. 2 remain: 2 warnings (1 fixable with --unsafe-fixes). Take back with `placefix undo`.\n"
    )
    assert run("apply", "--unsafe-fixes", "-q", cwd=folder).returncode == 0
    assert (folder / "a.py").read_bytes() == b"model.to(device)\nrisky.to(device)\nkept.cuda()\n"


def test_check_counts_what_unsafe_fixes_would_add(folder: Path) -> None:
    (folder / "a.py").write_bytes(b"model.cuda()\nrisky.cuda()\nkept.cuda()\n")
    assert b"(1 fixable with `placefix apply`, 1 more with --unsafe-fixes)" in run("check", cwd=folder).stderr
    assert b"(2 fixable with `placefix apply`)" in run("check", "--unsafe-fixes", cwd=folder).stderr


def test_an_untouched_file_is_untouched(folder: Path) -> None:
    """Not even its time changes where there is nothing to do."""
    file = folder / "quiet.py"
    file.write_bytes(b"kept.cuda()\r\n\t")
    os.utime(file, ns=(1, 1))
    assert run("apply", cwd=folder).returncode == 0
    assert file.read_bytes() == b"kept.cuda()\r\n\t"
    assert file.stat().st_mtime_ns == 1


@pytest.mark.parametrize(
    ("args", "lines"),
    [
        (["--select", "PF901"], 1),
        (["--select", "pf9"], 1),
        (["--select", "PF902,PF903"], 0),
        (["--select", "PF902", "--select", "PF901"], 1),
        (["--select", "PF902, PF901"], 1),
        (["--ignore", "PF90"], 0),
        (["--ignore", "PF902"], 1),
        (["--select", "PF901", "--ignore", "PF9"], 1),
        (["--exclude", "a.py"], 0),
        (["--exclude", "b.py", "--exclude", "a.*"], 0),
    ],
)
def test_selection(folder: Path, args: list[str], lines: int) -> None:
    result = run("check", "--output-format", "concise", *args, cwd=folder)
    assert len(result.stdout.splitlines()) == lines
    assert result.returncode == (1 if lines else 0)


def test_opt_in_rules(folder: Path) -> None:
    (folder / "a.py").write_bytes(b"rare_thing\n")
    assert run("check", cwd=folder).returncode == 0
    assert run("check", "--select", "PF911", cwd=folder).returncode == 1


# Standard input


def test_check_stdin(tmp_path: Path) -> None:
    result = run("check", "--output-format", "concise", "-", cwd=tmp_path, stdin=OLD)
    assert (result.returncode, result.stdout) == (1, b"-:1:1: warning PF901 [*] `model` is on CUDA\n")
    named = run("check", "--output-format", "concise", "--stdin-filename", "sub/x.py", "-", cwd=tmp_path, stdin=OLD)
    assert named.stdout == b"sub/x.py:1:1: warning PF901 [*] `model` is on CUDA\n"
    assert run("check", "-", cwd=tmp_path, stdin=b"x = 1\n").returncode == 0


@pytest.mark.parametrize(
    ("text", "expected", "code"),
    [
        (OLD, NEW, 0),
        (b"x = 1\r\n", b"x = 1\r\n", 0),
        (b"", b"", 0),
        (b"\xef\xbb\xbfmodel.cuda()", b"\xef\xbb\xbfmodel.to(device)", 0),
        (b"# coding: latin-1\nmodel.cuda() # \xe9\n", b"# coding: latin-1\nmodel.to(device) # \xe9\n", 0),
        (b"risky.cuda()\n", b"risky.cuda()\n", 0),
        (b"model.cuda(\n", b"model.cuda(\n", 2),  # a filter hands on what it cannot repair
        (b"\n\n\xff model.cuda()\n", b"\n\n\xff model.cuda()\n", 2),
    ],
)
def test_apply_stdin(tmp_path: Path, text: bytes, expected: bytes, code: int) -> None:
    result = run("apply", "-", cwd=tmp_path, stdin=text)
    assert (result.stdout, result.returncode) == (expected, code)
    assert result.stderr.startswith(b"error: -:") == (code == 2)
    assert list(tmp_path.iterdir()) == []


def test_diff_stdin(tmp_path: Path) -> None:
    result = run("apply", "--diff", "--stdin-filename", "sub/x.py", "-", cwd=tmp_path, stdin=OLD)
    assert result.returncode == 1
    assert result.stdout.startswith(b"--- a/sub/x.py\n+++ b/sub/x.py\n")
    assert run("apply", "--diff", "-", cwd=tmp_path, stdin=b"x = 1\n").returncode == 0


def test_stdin_takes_the_configuration_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "placefix.toml").write_text('per-file-ignores = {"x.py" = ["PF901"]}\n')
    name = ["--stdin-filename", "sub/x.py", "-"]
    assert run("check", *name, cwd=tmp_path, stdin=OLD).returncode == 0
    assert run("check", "--isolated", *name, cwd=tmp_path, stdin=OLD).returncode == 1
    assert run("check", "--stdin-filename", "sub/y.py", "-", cwd=tmp_path, stdin=OLD).returncode == 1


# The outside world


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", [["check"], ["apply", "--diff"], ["check", "--output-format", "json"]])
def test_a_reader_who_leaves(folder: Path, command: list[str], unbuffered: str) -> None:
    (folder / "a.py").write_bytes((b"model.cuda()  #" + b" x" * 300 + b"\n") * 200)
    process = start(*command, "a.py", cwd=folder, env={"PYTHONUNBUFFERED": unbuffered})
    assert process.stdout is not None and process.stderr is not None and process.stdin is not None
    process.stdin.close()
    process.stdout.read(1)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=600) == 1
    assert errors == b""


def test_apply_goes_on_when_the_reader_leaves(folder: Path) -> None:
    (folder / "a.py").write_bytes(b"kept.cuda()\n" * 1000)
    (folder / "b.py").write_bytes(OLD)
    process = start("apply", cwd=folder)
    assert process.stdout is not None and process.stderr is not None and process.stdin is not None
    process.stdin.close()
    process.stdout.close()
    process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=600) == 0
    assert (folder / "b.py").read_bytes() == NEW


@pytest.mark.skipif(os.name != "posix", reason="closes a descriptor by the shell")
def test_closed_standard_output(folder: Path) -> None:
    (folder / "0.py").write_bytes(b"x = 1\n")
    for command, code in (("check", 1), ("apply --diff", 1), ("apply", 0)):
        done = shell(f"{command} >&-", folder)
        assert (done.returncode, "Traceback" in done.stderr) == (code, False)


FULL = "standard output: cannot be written: No space left on device"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
@pytest.mark.parametrize(
    ("command", "code", "errors"),
    [
        ("check >/dev/full", 2, [FULL]),
        ("check a.py >/dev/full", 2, [FULL]),
        ("apply --diff >/dev/full", 2, [FULL]),
        ("rule --all >/dev/full", 2, [FULL]),
        ("schema >/dev/full", 2, ["standard output: No space left on device"]),
        ("check absent.py 2>/dev/full", 2, []),
        ("check b.py 2>/dev/full", 0, []),
        ("check --nonsense 2>/dev/full", 2, []),
        ("check - <&-", 2, ["Invalid value: - (standard input) is closed"]),
        ("check ''", 2, ["'': No such file or directory"]),
    ],
)
def test_streams_that_are_full_or_closed(folder: Path, command: str, code: int, errors: list[str]) -> None:
    (folder / "a.py").write_bytes(b"model.cuda()\n" * 500)
    (folder / "b.py").write_bytes(b"x = 1\n")
    done = shell(command, folder)
    assert done.returncode == code
    assert [
        line.partition(": ")[2] for line in done.stderr.splitlines() if line.lower().startswith("error: ")
    ] == errors
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
@pytest.mark.parametrize("where", [">/dev/full", "2>/dev/full", ">/dev/full 2>&1"])
def test_apply_goes_on_when_nothing_can_be_said(folder: Path, where: str) -> None:
    (folder / "0.py").write_bytes(b"crash_here = kept.cuda()\n" + b"kept.cuda()\n" * 1000)
    (folder / "1.py").write_bytes(b"kept.cuda()\n" * 1000)
    assert shell(f"apply {where}", folder).returncode == 2
    assert (folder / "a.py").read_bytes() == NEW


@pytest.mark.skipif(os.name != "posix", reason="removes the working directory under itself")
def test_a_working_directory_that_is_gone(folder: Path) -> None:
    (folder / "gone").mkdir()
    done = shell("check", folder / "gone", before="rmdir ../gone")
    assert (done.returncode, done.stderr) == (2, "error: the working directory: No such file or directory\n")


def test_an_interrupt_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n")
    done = subprocess.run(
        [sys.executable, "-m", "placefix", "check"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, check=False, timeout=600,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def shell(command: str, folder: Path, before: str = "true") -> subprocess.CompletedProcess[str]:
    """Run `placefix COMMAND` by the shell, which redirects its streams."""
    fakes = Path(__file__).parent / "fakes.py"
    line = f'{before}; "{sys.executable}" "{fakes}" {command}'
    return subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("env", "args", "coloured"),
    [
        ({}, [], False),
        ({"FORCE_COLOR": "1"}, [], True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, [], False),
        ({"NO_COLOR": ""}, ["--color", "always"], True),
        ({"NO_COLOR": "1"}, ["--color", "always"], True),
        ({"FORCE_COLOR": "1"}, ["--color", "never"], False),
    ],
)
def test_colour(folder: Path, env: dict[str, str], args: list[str], coloured: bool) -> None:
    for command in (["check"], ["apply", "--diff"]):
        assert (b"\x1b[" in run(*command, *args, cwd=folder, env=env).stdout) == coloured


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colour_on_a_terminal(folder: Path, env: dict[str, str], coloured: bool) -> None:
    import pty

    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).parent / "fakes.py"), "check"],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.DEVNULL,
        env={**{k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}, "TERM": "xterm", **env},
    )  # fmt: skip
    os.close(slave)
    shown = b""
    try:
        while chunk := os.read(master, 65536):
            shown += chunk
    except OSError:  # Linux reports the end of a pseudo-terminal so
        pass
    os.close(master)
    assert process.wait(timeout=600) == 1
    assert b"PF901" in shown
    assert (b"\x1b[" in shown) == coloured


def test_rule_pages(tmp_path: Path) -> None:
    page = run("rule", "pf901", cwd=tmp_path).stdout.decode()
    assert page == (
        "PF901 fake-cuda (warning)\n\nMove things to the device.\n\n"
        "Why:\n    Because the *test* says so.\n\n    And it says so twice.\n\n"
        "Example:\n    model.cuda()  ->  model.to(device)\n"
    )
    rendered = run("rule", "PF901", "--color", "always", cwd=tmp_path, env={"COLUMNS": "80"}).stdout.decode()
    plain = [line.strip() for line in re.sub(r"\x1b\[[0-9;]*m", "", rendered).splitlines()]
    assert "*test*" not in rendered and "```" not in rendered
    for line in ("Why", "And it says so twice.", "Example", "model.cuda()  ->  model.to(device)"):
        assert line in plain
    listed = run("rule", "--all", cwd=tmp_path).stdout.decode().splitlines()
    assert [line.split()[0] for line in listed] == ["PF901", "PF902", "PF903", "PF911"]
    assert listed[0] == "PF901  warning fake-cuda: Something is on CUDA."


def test_version_and_module(tmp_path: Path) -> None:
    expected = f"placefix {placefix.__version__}\n"
    assert run("--version", cwd=tmp_path).stdout.decode() == expected
    as_module = [sys.executable, "-m", "placefix", "--version"]
    assert subprocess.run(as_module, capture_output=True, text=True, check=True).stdout == expected
    script = Path(sys.executable).parent / "placefix"
    assert subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout == expected


def test_help_names_every_format(tmp_path: Path) -> None:
    """The help and the check of --output-format are written out, for the sake of start-up."""
    assert "|".join(FORMATS) in run("check", "--help", cwd=tmp_path).stdout.decode()
    for name in FORMATS:
        assert run("check", "--output-format", name, cwd=tmp_path).returncode == 0


HANDFUL = """import torch
from torch import nn


class Net(nn.Module):
    def forward(self, input, wide):
        one, two, three = torch.unbind(input)
        pos = 1
        if wide is not None:
            pos = wide.view(-1)[0] + 1
        shape = torch.cat((one.view(1), two.view(1), three.view(1), torch.tensor([-1])))
        return shape, pos
"""


def test_the_same_is_named_in_every_run(tmp_path: Path) -> None:
    """Strings have another hash in each process."""
    (tmp_path / "a.py").write_text(HANDFUL)
    command = [
        sys.executable,
        "-m",
        "placefix",
        "apply",
        "--diff",
        "--no-cache",
        "--isolated",
        "--unsafe-fixes",
        "a.py",
    ]
    runs = [
        subprocess.run(
            command, cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=False
        )
        for seed in "12345"
    ]
    assert len({done.stdout for done in runs}) == 1
    assert b".device" in runs[0].stdout


OWN_MOVES = """import torch
import main

class {0}:
    def cuda(self):
        return self

    def eval(self):
        return self

    def __call__(self, x):
        return x
"""
SEVERAL = """import torch
import one, three, two

def step(model, x):
    model = model.cuda()
    model.eval()
    return model(x)
"""


def test_a_repository_gives_the_same_in_every_run(tmp_path: Path) -> None:
    """Findings, premises and fixes, whatever the hashes of strings: several classes and files could be named in a premise."""
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.py").write_text(OWN_MOVES.format(name.title()))
    (tmp_path / "main.py").write_text(SEVERAL)
    (tmp_path / "setup.py").touch()
    command = [sys.executable, "-m", "placefix", "check", "--no-cache", "--isolated", "--output-format", "json", "."]
    runs = [
        subprocess.run(
            command, cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=False
        )
        for seed in "123"
    ]
    assert len({done.stdout for done in runs}) == 1
    assert b"namesake-without-to" in runs[0].stdout


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            b"x = 1\nmodel.cuda(\n",
            "error: s.py:2:11: cannot be parsed as Python 3: '(' was never closed\n  2 | model.cuda(\n    |           ^\n",
        ),
        ("é = '日本'; model.cuda() x\n".encode(), None),
    ],
)
def test_a_syntax_error_is_shown_with_its_line(tmp_path: Path, text: bytes, shown: str | None) -> None:
    (tmp_path / "s.py").write_bytes(text)
    done = run("check", "-q", "s.py", cwd=tmp_path, env={"PYTHONUTF8": "1"})
    said = done.stderr.decode()
    assert done.returncode == 2
    if shown is not None:
        assert said == shown
    assert re.match(r"error: s\.py:\d+:\d+: cannot be parsed", said)
    assert len(said.splitlines()) == 3


def test_a_run_over_no_file_warns(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for command in ("check", "apply"):
        done = run(command, "empty", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, b"warning: no Python file and no notebook in empty\n")
    assert run("check", "-q", "empty", cwd=tmp_path).stderr == b""


def test_the_progress_bar_keeps_its_place() -> None:
    """Whatever the path, the speed and the count: each part of the line begins in the same column."""
    import io

    from rich.console import Console

    from placefix.report.terminal import Bar

    lines = []
    for done, path in ((1, "a.py"), (7, "deep/" * 30 + "b.py"), (998, "c.py")):
        console = Console(file=io.StringIO(), width=100, force_terminal=True, color_system=None)
        bar = Bar(1000, console)
        bar.show(done, path)
        frames = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", console.file.getvalue())  # type: ignore[attr-defined]
        lines.append(frames.split("\r")[-1])
        bar.hide()
    assert {line.index("/1000") for line in lines} == {29}
    assert {line.index("files/s") for line in lines} == {lines[0].index("files/s")}
    assert {line.index(name) for line, name in zip(lines, ("a.py", "deep", "c.py"), strict=True)} == {
        lines[0].index("a.py")
    }
    assert all(len(line) <= 100 for line in lines)
