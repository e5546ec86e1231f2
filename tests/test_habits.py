"""Options and keys that users of ruff know, and what they do here."""

from __future__ import annotations

import re
import signal
import time
from typing import TYPE_CHECKING

import pytest

import placefix
from command import run_text
from fakes import run, start

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

OLD, NEW = "model.cuda()\n", "model.to(device)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(OLD)
    return tmp_path


def lines(*args: str, cwd: Path, code: int | None = None, env: dict[str, str] | None = None) -> list[str]:
    """What a run prints, line by line."""
    done = run(*args, cwd=cwd, env=env)
    assert code is None or done.returncode == code, done.stderr.decode()
    return done.stdout.decode().splitlines()


def real(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A run with the real rules."""
    return run_text(*args, cwd=cwd, env={"NO_COLOR": "1"})


# --- rules by name -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "count"),
    [
        (["--select", "fake-cuda"], 1),
        (["--select", "FAKE-CUDA"], 1),
        (["--select", "fake-crash,fake-cuda"], 1),
        (["--select", "fake-crash"], 0),
        (["--ignore", "fake-cuda"], 0),
        (["--select", "PF9", "--ignore", "fake-cuda"], 0),
        (["--extend-select", "fake-rare"], 2),
        (["--select", "PF902", "--extend-select", "PF911"], 1),
    ],
)
def test_rules_by_name(folder: Path, args: list[str], count: int) -> None:
    (folder / "a.py").write_text("model.cuda(), rare_thing\n")
    assert len(lines("check", "--output-format", "concise", *args, cwd=folder)) == count


@pytest.mark.parametrize(
    ("comment", "silent"),
    [
        ("placefix: ignore[fake-cuda]", True),
        ("placefix: ignore[fake-crash, fake-cuda] why", True),
        ("placefix: ignore[fake-crash]", False),
        ("placefix: ignore[fake]", False),
        ("placefix: file-ignore[fake-cuda]", True),
    ],
)
def test_suppressions_by_name(folder: Path, comment: str, silent: bool) -> None:
    (folder / "a.py").write_text(f"model.cuda()  # {comment}\n")
    assert run("check", cwd=folder).returncode == (0 if silent else 1)


def test_unused_suppressions_by_name(folder: Path) -> None:
    used = "import torch\n\nx = torch.zeros(1).cuda()  # placefix: ignore[hardcoded-cuda-call]\n"
    (folder / "a.py").write_text(used)
    assert real("check", "a.py", cwd=folder).returncode == 0
    (folder / "a.py").write_text(used.replace("hardcoded-cuda-call", "hardcoded-cuda-call, batch-not-placed"))
    done = real("check", "--output-format", "concise", "a.py", cwd=folder)
    assert done.returncode == 1 and "PF001" in done.stdout and done.stdout.count("\n") == 1
    assert real("apply", "a.py", cwd=folder).returncode == 0
    assert (folder / "a.py").read_text() == used


def test_names_in_a_configuration(folder: Path) -> None:
    (folder / "placefix.toml").write_text('ignore = ["fake-cuda"]\n')
    assert lines("check", cwd=folder, code=0) == []
    (folder / "placefix.toml").write_text('[per-file-ignores]\n"a.py" = ["fake-cuda"]\n')
    assert lines("check", cwd=folder, code=0) == []


# --- did you mean --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "meant"),
    [
        (["check", "--select", "hardcoded-cuda-cal"], "did you mean hardcoded-cuda-call (PF401)?"),
        (["check", "--ignore", "PF4011"], "did you mean PF401?"),
        (["rule", "batch-not-place"], "did you mean batch-not-placed (PF301)?"),
        (["check", "--selct", "PF4"], "--select"),
        (["chekc"], "'check'"),
    ],
)
def test_did_you_mean(tmp_path: Path, args: list[str], meant: str) -> None:
    done = real(*args, cwd=tmp_path)
    assert done.returncode == 2 and meant in done.stderr, done.stderr


def test_nothing_is_meant_by_what_is_like_nothing(tmp_path: Path) -> None:
    assert "did you mean" not in real("check", "--select", "xyzzy", cwd=tmp_path).stderr


@pytest.mark.parametrize(
    ("key", "meant"), [("selct", "select"), ("target_torch", "target-torch"), ("unsafe", "unsafe-fixes")]
)
def test_did_you_mean_a_key(folder: Path, key: str, meant: str) -> None:
    (folder / "placefix.toml").write_text(f"{key} = []\n")
    done = run("check", cwd=folder)
    assert done.returncode == 2
    assert (
        done.stderr.decode().startswith("error: ")
        and f'{key}: unknown key: did you mean "{meant}"?' in done.stderr.decode()
    )
    assert len(done.stderr.splitlines()) == 1


# --- what a run is about -------------------------------------------------------------------------------------------


def test_show_files(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "b.ipynb").write_text("{}")
    (folder / "c.txt").write_text("")
    for command in ("check", "apply"):
        assert lines(command, "--show-files", "--exclude", "d.py", cwd=folder, code=0) == ["a.py", "sub/b.ipynb"]
    assert lines("check", "--show-files", "absent.py", cwd=folder, code=2) == []


def test_show_settings(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "b.py").write_text(OLD)
    (folder / "sub" / "placefix.toml").write_text('target-torch = "2.1"\nunfixable = ["fake-cuda"]\n')
    shown = "\n".join(lines("check", "--show-settings", "--ignore", "PF902", cwd=folder, code=0))
    above, below = shown.split(str(folder / "sub" / "placefix.toml"))
    assert above.startswith("# no configuration file: a.py\n") and 'target-torch = "1.13"' in above
    assert 'select = ["PF901", "PF903"]' in above and "unfixable = []" in above
    assert 'target-torch = "2.1"' in below and 'unfixable = ["PF901"]' in below and 'severity = "style"' in below


def test_verbose(folder: Path) -> None:
    (folder / "placefix.toml").write_text("")
    for flag in ("-v", "--verbose"):
        said = run("check", flag, cwd=folder).stderr.decode().splitlines()
        assert said[0] == f"{folder / 'placefix.toml'}: 1 file"
        assert re.search(r" 1 read in \d+\.\d\d s\.$", said[-1])
    assert len(run("check", cwd=folder).stderr.splitlines()) == 1


# --- check --fix, --diff, --dry-run --------------------------------------------------------------------------------


def test_check_fix_is_apply(folder: Path) -> None:
    done = run("check", "--fix", cwd=folder)
    assert (done.returncode, (folder / "a.py").read_text()) == (0, NEW)
    assert done.stderr.startswith(b"Fixed 1 problem in 1 file: a.py.")
    run("undo", cwd=folder)
    assert (folder / "a.py").read_text() == OLD


def test_check_fix_reports_what_remains(folder: Path) -> None:
    (folder / "a.py").write_text(OLD + "risky.cuda()\n")
    assert lines("check", "--fix", "--output-format", "concise", cwd=folder, code=1) == [
        "a.py:2:1: warning PF901 `risky` is on CUDA"
    ]
    assert lines("check", "--fix", "--unsafe-fixes", cwd=folder, code=0) == []


def test_check_diff_and_dry_run_are_the_diff(folder: Path) -> None:
    expected = lines("apply", "--diff", cwd=folder, code=1)
    assert "+model.to(device)" in expected
    for command in (("check", "--diff"), ("check", "--fix", "--diff"), ("apply", "--dry-run")):
        assert lines(*command, cwd=folder, code=1) == expected
    assert (folder / "a.py").read_text() == OLD


# --- the configuration ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("required", "fits"),
    [
        (placefix.__version__, True),
        (">=0.1", True),
        (">=0.1,<99", True),
        ("0.0.1", False),
        (">=99", False),
    ],
)
def test_required_version(folder: Path, required: str, fits: bool) -> None:
    (folder / "placefix.toml").write_text(f'required-version = "{required}"\n')
    done = run("check", cwd=folder)
    assert done.returncode == (1 if fits else 2)
    if not fits:
        said = done.stderr.decode()
        assert f"required-version: '{required}' is required, and this is placefix {placefix.__version__}" in said
    (folder / "placefix.toml").write_text("required-version = '>=>1'\n")
    assert run("check", cwd=folder).returncode == 2


def test_extend(folder: Path) -> None:
    """Keys of the extended file hold where they are not set; patterns are relative to the file that has them."""
    (folder / "base.toml").write_text('ignore = ["PF901"]\nexclude = ["sub/left"]\nextend-select = ["PF911"]\n')
    sub = folder / "sub"
    (sub / "left").mkdir(parents=True)
    (sub / "left" / "c.py").write_text(OLD + "rare_thing\n")
    (sub / "b.py").write_text(OLD + "rare_thing\n")
    (sub / "placefix.toml").write_text('extend = "../base.toml"\nextend-select = ["PF903"]\n')
    shown = lines("check", "--output-format", "concise", "sub", cwd=folder, code=1)
    assert shown == ["sub/b.py:2:1: style PF911 there is a rare thing"]
    (sub / "placefix.toml").write_text('extend = "../base.toml"\nignore = []\n')
    assert len(lines("check", "--output-format", "concise", "sub", cwd=folder, code=1)) == 2
    (folder / "pyproject.toml").write_text('[tool.placefix]\nextend = "base.toml"\n')
    assert lines("check", "a.py", cwd=folder, code=0) == []


def test_extend_that_goes_wrong(folder: Path) -> None:
    for text, problem in (
        ('extend = "absent.toml"', "absent.toml: no such file"),
        ('extend = "placefix.toml"', "extends this file itself"),
        ("extend = 3", "must be the path of a file"),
        ('extend = "other.toml"', "other.toml: selct: unknown key"),
    ):
        (folder / "other.toml").write_text("selct = []\n")
        (folder / "placefix.toml").write_text(text + "\n")
        done = run("check", cwd=folder)
        assert done.returncode == 2 and problem in done.stderr.decode(), done.stderr
        assert len(done.stderr.splitlines()) == 1
    (folder / "other.toml").write_text('extend = "placefix.toml"\n')
    assert b"extends this file itself" in run("check", cwd=folder).stderr


@pytest.mark.parametrize(
    ("keys", "args", "fixed"),
    [
        ("", [], True),
        ('unfixable = ["PF901"]', [], False),
        ('unfixable = ["fake-cuda"]', [], False),
        ('unfixable = ["PF902"]', [], True),
        ('fixable = ["PF902"]', [], False),
        ('fixable = ["PF9"]', [], True),
        ('fixable = ["PF901"]\nunfixable = ["PF9"]', [], True),
        ('fixable = ["PF9"]\nunfixable = ["PF9"]', [], False),
        ("fixable = []", [], False),
        ("", ["--unfixable", "PF901"], False),
        ("", ["--fixable", "PF903"], False),
        ('fixable = ["PF902"]', ["--fixable", "fake-cuda"], True),
    ],
)
def test_fixable_and_unfixable(folder: Path, keys: str, args: list[str], fixed: bool) -> None:
    (folder / "placefix.toml").write_text(keys + "\n")
    shown = lines("check", "--output-format", "concise", *args, cwd=folder, code=1)
    assert ("[*]" in shown[0]) == fixed
    run("apply", *args, cwd=folder)
    assert (folder / "a.py").read_text() == (NEW if fixed else OLD)
    if not fixed:
        full = "\n".join(lines("check", *args, cwd=folder))
        assert "suggestion, never applied" in full and "the configuration makes PF901 unfixable" in full


@pytest.mark.parametrize(
    ("keys", "text", "args", "fixed"),
    [
        ('extend-safe-fixes = ["PF901"]', "risky.cuda()\n", [], True),
        ('extend-safe-fixes = ["PF902"]', "risky.cuda()\n", [], False),
        ('extend-unsafe-fixes = ["PF901"]', OLD, [], False),
        ('extend-unsafe-fixes = ["PF901"]', OLD, ["--unsafe-fixes"], True),
        ('extend-unsafe-fixes = ["PF9"]\nextend-safe-fixes = ["PF901"]', "risky.cuda()\n", [], True),
        ('extend-unsafe-fixes = ["PF9"]\nextend-safe-fixes = ["PF9"]', "risky.cuda()\n", [], False),
        ('extend-safe-fixes = ["PF901"]', "shown.cuda()\n", ["--unsafe-fixes"], False),
    ],
)
def test_the_promises_of_fixes(folder: Path, keys: str, text: str, args: list[str], fixed: bool) -> None:
    (folder / "placefix.toml").write_text(keys + "\n")
    (folder / "a.py").write_text(text)
    run("apply", *args, cwd=folder)
    assert ((folder / "a.py").read_text() != text) == fixed


def test_an_unfixable_fix_without_which_a_file_cannot_be_parsed(folder: Path) -> None:
    old = "import torch\n\nx = torch.zeros(1)\ny = x.cuda(async=True)\n"
    (folder / "a.py").write_text(old)
    assert real("apply", "--unfixable", "PF400", cwd=folder).returncode == 0
    assert (folder / "a.py").read_text() == old
    assert real("apply", cwd=folder).returncode == 0
    assert "async=" not in (folder / "a.py").read_text()


# --- environment variables -----------------------------------------------------------------------------------------


def test_environment_variables(folder: Path) -> None:
    (folder / "other.toml").write_text('ignore = ["PF901"]\n')
    assert run("check", cwd=folder, env={"PLACEFIX_CONFIG": "other.toml"}).returncode == 0
    assert run("check", "--isolated", cwd=folder, env={"PLACEFIX_CONFIG": "other.toml"}).returncode == 1
    shown = lines("check", cwd=folder, env={"PLACEFIX_OUTPUT_FORMAT": "concise"})
    assert shown == ["a.py:1:1: warning PF901 [*] `model` is on CUDA"]
    shown = lines("check", "--output-format", "json-lines", cwd=folder, env={"PLACEFIX_OUTPUT_FORMAT": "concise"})
    assert shown[0].startswith("{")
    assert run("check", cwd=folder, env={"PLACEFIX_OUTPUT_FORMAT": "yaml"}).returncode == 2
    for number in range(30):
        (folder / f"b{number}.py").write_text(OLD)
    cache = folder / "kept"
    run("check", "-j", "1", cwd=folder, env={"PLACEFIX_CACHE_DIR": str(cache), "PLACEFIX_NO_CACHE": "1"})
    assert not cache.exists()
    run("check", "-j", "1", cwd=folder, env={"PLACEFIX_CACHE_DIR": str(cache)})
    assert cache.exists()


# --- watching ------------------------------------------------------------------------------------------------------


def test_watch(folder: Path) -> None:
    """A new run for each change: of a file, of a new file, of the configuration, of a bad one; Ctrl-C ends it with 0."""
    process = start("check", "--watch", "--output-format", "concise", "--no-cache", cwd=folder)
    assert process.stderr is not None and process.stdout is not None

    def waited(expected: bytes) -> None:
        for line in process.stderr:  # type: ignore[union-attr]
            if expected in line:
                return
        raise AssertionError(f"it ended without {expected!r}")

    waited(b"Watching 1 file.")
    (folder / "a.py").write_text(NEW + "\n")
    waited(b"Nothing found in 1 file.")
    waited(b"Watching 1 file.")
    (folder / "b.py").write_text(OLD)
    waited(b"Found 1 problem in 1 file")
    waited(b"Watching 2 files.")
    (folder / "placefix.toml").write_text("selct = []\n")
    waited(b"unknown key")
    waited(b"Watching 0 files.")
    (folder / "placefix.toml").write_text('ignore = ["PF901"]\n')
    waited(b"Nothing found in 2 files.")
    waited(b"Watching 3 files.")
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=600)
    assert process.returncode == 0
    assert stdout.count(b"PF901") == 2


def test_watch_is_about_files(folder: Path) -> None:
    assert run("check", "--watch", "-", cwd=folder).returncode == 2
    assert run("check", "--watch", "--fix", cwd=folder).returncode == 2
