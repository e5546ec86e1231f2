"""Discovery, and writing: each file old or new, never half, and nothing left lying about."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

import placefix
from fakes import CUDA, FAKES, run, said, start
from placefix import files, rule_selection, runner
from placefix.config import Configs, Options
from placefix.discover import Missing, Target, discover
from placefix.engine import Failed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from placefix.diagnostic import Diagnostic

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
OLD, NEW = b"model.cuda()\n", b"model.to(device)\n"


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(rule_selection, "RULES", FAKES)
    monkeypatch.chdir(tmp_path)


def plant(root: Path, *names: str, text: str = "") -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def found(*paths: str, options: Options | None = None) -> list[str]:
    result = []
    for target in discover(paths or ["."], Configs(options)):
        assert isinstance(target, Target), target
        assert target.absolute == os.path.abspath(target.path)
        result.append(target.path)
    return result


# Discovery


def test_folders_are_searched_in_order(tmp_path: Path) -> None:
    plant(tmp_path, "b.py", "a/z.py", "a/b/c.py", "a.py", "c/readme.md", "stub.pyi", "B.PY", "a/.hidden/h.py")
    assert found() == ["a/.hidden/h.py", "a/b/c.py", "a/z.py", "a.py", "b.py"]
    assert found("a/") == ["a/.hidden/h.py", "a/b/c.py", "a/z.py"]
    assert found(str(tmp_path / "a" / "b")) == [str(tmp_path / "a" / "b" / "c.py")]


def test_paths_that_meet_are_taken_once(tmp_path: Path) -> None:
    plant(tmp_path, "a/b.py", "a/c.py")
    (tmp_path / "link").symlink_to("a")
    assert found("a/c.py", "a", "./a/b.py", str(tmp_path / "a"), "link") == ["a/c.py", "a/b.py"]


def test_default_excludes_and_files_named_outright(tmp_path: Path) -> None:
    plant(
        tmp_path, "ok.py", "no/venv/a.py", ".venv/a.py", "build/b.py", "x.egg-info/c.py", "__pycache__/d.py", "venv.py"
    )
    assert found() == ["ok.py", "venv.py"]
    assert found("build") == ["build/b.py"]
    plant(tmp_path, "script", "notes.txt")
    assert found("build/b.py", "script", "notes.txt") == ["build/b.py", "script", "notes.txt"]


def test_exclude(tmp_path: Path) -> None:
    plant(tmp_path, "a.py", "old/b.py", "sub/old/c.py", "sub/d.py")
    assert found(options=Options(exclude=("old/",))) == ["a.py", "sub/d.py"]
    assert found(options=Options(exclude=("/old", "sub/*.py"))) == ["a.py", "sub/old/c.py"]
    assert found("old/b.py", options=Options(exclude=("old/",))) == ["old/b.py"]
    (tmp_path / "sub" / "placefix.toml").write_text('exclude = ["old"]\n')
    assert found() == ["a.py", "old/b.py", "sub/d.py"]


def test_exclude_outside_of_the_folder_of_the_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory, or the folder of a `--config` file, need not be above what is searched."""
    plant(
        tmp_path, "here/x.py", "there/a.py", "there/old/b.py", "there/sub/old/c.py", "there/sub/d.py", "there/here/e.py"
    )
    (tmp_path / "here" / "shared.toml").write_text('exclude = ["old/", "/sub/d.py"]\n')
    monkeypatch.chdir(tmp_path / "here")
    there = str(tmp_path / "there")

    def names(configs: Configs, *paths: str) -> list[str]:
        return [os.path.relpath(target.path, tmp_path) for target in discover(paths, configs)]

    kept = ["there/a.py", "there/here/e.py"]
    assert names(Configs(file="shared.toml"), there) == kept
    assert names(Configs(Options(exclude=("old", "/sub/d.py"))), "../there") == kept
    assert names(Configs(Options(exclude=("there", "x.py"))), there) == [
        *kept,
        "there/old/b.py",
        "there/sub/d.py",
        "there/sub/old/c.py",
    ]
    assert names(Configs(Options(exclude=("here", "there/sub"))), "..") == ["there/a.py", "there/old/b.py"]
    forced = Configs(Options(exclude=("a.py",), force_exclude=True))
    assert names(forced, "../there/a.py", "../there/sub/d.py") == ["there/sub/d.py"]


# name → (.gitignore files, files that must be left out, files that must be found)
GITIGNORES: dict[str, tuple[dict[str, str], list[str], list[str]]] = {
    "plain": ({".gitignore": "gen.py\nout/\n"}, ["gen.py", "a/gen.py", "out/x.py"], ["a/x.py"]),
    "anchored": ({".gitignore": "/gen.py\na/b\n"}, ["gen.py", "a/b/x.py"], ["a/gen.py", "c/a/b/x.py"]),
    "negated": ({".gitignore": "*.py\n!keep.py\n"}, ["x.py", "a/y.py"], ["keep.py", "a/keep.py"]),
    "nested": (
        {".gitignore": "x.py\n", "a/.gitignore": "!x.py\n/y.py\n"},
        ["x.py", "b/x.py", "a/y.py"],
        ["a/x.py", "a/b/y.py"],
    ),
    "a folder that is out stays out": ({".gitignore": "out/\n!out/keep.py\n"}, ["out/keep.py"], ["x.py"]),
    "contents out, one file in": ({".gitignore": "out/*\n!out/keep.py\n"}, ["out/x.py"], ["out/keep.py"]),
    "two stars": ({".gitignore": "a/**/gen\n"}, ["a/gen/x.py", "a/b/c/gen/x.py"], ["gen/x.py"]),
    "comments, blanks, escapes": ({".gitignore": "# x.py\n\n\\#y.py\n \n"}, ["#y.py"], ["x.py"]),
    "carriage returns": ({".gitignore": "x.py\r\n"}, ["x.py"], ["y.py"]),
    "no pattern at all": ({".gitignore": "[z-a]\n!\nx.py\n"}, ["x.py"], ["y.py"]),
    "not UTF-8": ({".gitignore": "\udcff.py\nx.py\n"}, ["x.py"], ["y.py"]),
}


@pytest.mark.parametrize("case", GITIGNORES, ids=str)
def test_gitignore_as_git_has_it(tmp_path: Path, case: str) -> None:
    ignore_files, out, kept = GITIGNORES[case]
    subprocess.run(["git", "init", "-q"], check=True)
    plant(tmp_path, *out, *kept)
    for name, text in ignore_files.items():
        (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert set(found()) == set(kept)
    if case != "carriage returns":  # git on Linux takes the carriage return for part of the name
        listed = subprocess.run(
            ["git", "-c", "core.excludesFile=", "ls-files", "-z", "-co", "--exclude-standard", "*.py"],
            capture_output=True, check=True, text=True,
        ).stdout  # fmt: skip
        assert set(filter(None, listed.split("\0"))) == set(kept)


def test_gitignore_above_the_folder_that_is_named(tmp_path: Path) -> None:
    (tmp_path / ".git" / "info").mkdir(parents=True)
    (tmp_path / ".git" / "info" / "exclude").write_text("private.py\n")
    (tmp_path / ".gitignore").write_text("gen.py\n/ignored/\n")
    plant(tmp_path, "a/b/x.py", "a/b/gen.py", "a/b/private.py", "ignored/x.py")
    assert found("a/b") == ["a/b/x.py"]
    assert found("ignored") == ["ignored/x.py"]  # it was named
    (tmp_path / "a" / "b" / ".git").mkdir()  # a repository of its own
    assert found("a/b") == found("a") == ["a/b/gen.py", "a/b/private.py", "a/b/x.py"]


def test_gitignore_above_does_not_count_outside_a_repository(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("x.py\n")
    plant(tmp_path, "a/x.py")
    assert found("a") == ["a/x.py"]
    assert found() == []


def test_links_are_not_followed_unless_named(tmp_path: Path) -> None:
    plant(tmp_path, "real/a.py")
    (tmp_path / "real" / "loop").symlink_to("..")
    (tmp_path / "linked.py").symlink_to("real/a.py")
    (tmp_path / "dangling.py").symlink_to("nowhere.py")
    (tmp_path / "folder.py").mkdir()
    assert found() == ["real/a.py"]
    assert found("linked.py") == ["linked.py"]
    assert discover(["dangling.py"], Configs()) == [Missing("dangling.py", "No such file or directory")]


def test_missing_paths_do_not_stop_the_others(tmp_path: Path) -> None:
    plant(tmp_path, "a.py")
    targets = discover(["absent", "a.py", "nul\0.py"], Configs())
    assert [type(target) for target in targets] == [Missing, Target, Missing]


@pytest.mark.skipif(ROOT, reason="root may read everything")
def test_unreadable_folder_is_named(tmp_path: Path) -> None:
    plant(tmp_path, "a.py", "locked/b.py")
    (tmp_path / "locked").chmod(0)
    try:
        targets = discover(["."], Configs())
    finally:
        (tmp_path / "locked").chmod(0o700)
    assert [target.path for target in targets] == ["a.py", "locked"]
    assert targets[1] == Missing("locked", "cannot be searched: Permission denied")


def test_unreadable_folder_is_named_by_a_failing_scan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same where the tests run as root, who may read everything."""
    plant(tmp_path, "a.py", "locked/b.py")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    targets = discover(["."], Configs())
    assert targets[1] == Missing("locked", "cannot be searched: Permission denied")


def test_deep_trees(tmp_path: Path) -> None:
    plant(tmp_path, "d/" * 200 + "x.py")
    limit, frame = sys.getrecursionlimit(), sys._getframe()
    depth = 0
    while frame is not None:
        depth, frame = depth + 1, frame.f_back  # type: ignore[assignment]
    sys.setrecursionlimit(depth + 120)
    try:
        assert [os.path.basename(path) for path in found()] == ["x.py"]
    finally:
        sys.setrecursionlimit(limit)


def test_a_tree_too_deep_for_the_system_is_named(tmp_path: Path) -> None:
    """Where a folder's own name just fits, those of the configuration that may stand in it do not."""
    plant(tmp_path, "a.py")
    long = "n" * 250
    while len(os.getcwd()) < 4096:
        rest = 4090 - len(os.getcwd())
        os.mkdir(long[: max(1, min(250, rest))])
        os.chdir(long[: max(1, min(250, rest))])
    os.chdir(tmp_path)
    targets = discover(["."], Configs())
    assert [type(target) for target in targets] == [Target, Missing]
    assert isinstance(targets[1], Missing) and targets[1].reason == "cannot be searched: File name too long"


# Writing


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(".placefix*")]


def test_replace_keeps_mode_and_link(tmp_path: Path) -> None:
    file = tmp_path / "real" / "a.py"
    plant(tmp_path, "real/a.py")
    file.write_bytes(OLD)
    file.chmod(0o754)
    (tmp_path / "link.py").symlink_to("real/a.py")
    files.replace("link.py", OLD, NEW)
    assert file.read_bytes() == NEW
    assert stat.S_IMODE(file.stat().st_mode) == 0o754
    assert (tmp_path / "link.py").is_symlink()
    assert leftovers(tmp_path) == []


def test_replace_keeps_hard_links(tmp_path: Path) -> None:
    file, other = tmp_path / "a.py", tmp_path / "b.py"
    file.write_bytes(OLD)
    os.link(file, other)
    for text in (NEW, b"x\n"):
        files.replace(str(file), file.read_bytes(), text)
        assert other.read_bytes() == text
        assert file.samefile(other)
    assert leftovers(tmp_path) == []


@pytest.mark.skipif(not ROOT, reason="only root can give a file away")
def test_replace_keeps_the_owner(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(OLD)
    os.chown(file, 1234, 4321)
    files.replace("a.py", OLD, NEW)
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 4321)


def test_replace_refuses_what_changed_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"someone else's\n")
    with pytest.raises(files.FileError, match="it has changed since it was read"):
        files.replace("a.py", OLD, NEW)
    assert (tmp_path / "a.py").read_bytes() == b"someone else's\n"
    assert leftovers(tmp_path) == []


def test_replace_refuses_a_read_only_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_bytes(OLD)
    (tmp_path / "a.py").chmod(0o444)
    if ROOT:
        monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(files.FileError, match="cannot be written: it is read-only"):
        files.replace("a.py", OLD, NEW)
    assert (tmp_path / "a.py").read_bytes() == OLD


def test_replace_refuses_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(files.FileError, match="not a regular file"):
        files.replace("a", OLD, NEW)
    with pytest.raises(files.FileError, match="No such file"):
        files.replace("b", OLD, NEW)


@pytest.mark.parametrize("step", ["open", "fsync", "fchmod", "replace"])
@pytest.mark.parametrize("blow", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_replace_interrupted_at_any_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, blow: type[BaseException] | OSError
) -> None:
    (tmp_path / "a.py").write_bytes(OLD)

    def fail(*args: object) -> None:
        raise blow

    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        with pytest.raises((KeyboardInterrupt, files.FileError)):
            files.replace("a.py", OLD, NEW)
    assert (tmp_path / "a.py").read_bytes() == OLD
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_run(tmp_path: Path, number: int, code: int) -> None:
    names = [f"f{index:02}.py" for index in range(40)]
    plant(tmp_path, *names, text="# slow_thing\nmodel.cuda()\n")
    plant(tmp_path, "z.py", text="# endless_thing\nmodel.cuda()\n")  # it does not end before it is told to
    process = start("apply", cwd=tmp_path)
    deadline = time.monotonic() + 300
    while "to(device)" not in (tmp_path / "f02.py").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=300)
    assert process.returncode == code
    texts = [(tmp_path / name).read_text() for name in names]
    assert set(texts) == {"# slow_thing\nmodel.cuda()\n", "# slow_thing\nmodel.to(device)\n"}
    written = [name for name, text in zip(names, texts, strict=True) if "to(device)" in text]
    line = said(stderr).decode()
    assert line.startswith("Interrupted: f00.py, f01.py") and line.count("\n") == 1
    # The signal may fall between the write and the count of it: at most the last is not named.
    assert [name for name in names if name in line] in (written, written[:-1])
    assert leftovers(tmp_path) == []


def test_an_interrupt_in_the_clothes_of_an_error(tmp_path: Path) -> None:
    """Until 3.12 Python makes a RuntimeError of what ends `__set_name__`, as where libcst's classes are made."""

    class Field:
        def __set_name__(self, owner: type, name: str) -> None:
            raise KeyboardInterrupt

    def check(_: object) -> Iterator[Diagnostic]:
        type("Node", (), {"field": Field()})
        yield from ()

    rule = CUDA._replace(check=check)
    plant(tmp_path, "a.py")
    config = Configs().at(str(tmp_path))._replace(rules=(rule,))
    target = Target("a.py", str(tmp_path / "a.py"), config)
    for run_ in (runner.check_bytes, runner.fix_bytes):
        with pytest.raises(KeyboardInterrupt):
            run_(target, OLD)


def test_a_bug_in_the_search_for_triggers_fails_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("this search")

    monkeypatch.setattr(runner, "triggered_at", fail)
    plant(tmp_path, "a.py")
    target = Target("a.py", str(tmp_path / "a.py"), Configs().at(str(tmp_path)))
    for run_ in (runner.check_bytes, runner.fix_bytes):
        outcome = run_(target, OLD).outcome
        assert isinstance(outcome, Failed)
        assert "RuntimeError: this search" in outcome.error


@pytest.mark.parametrize("series", [[], ["--split-by", "dir", "--output-dir", "out"]])
def test_an_interrupted_diff_has_written_nothing(tmp_path: Path, series: list[str]) -> None:
    names = [f"f{index:02}.py" for index in range(100)]
    plant(tmp_path, *names, text="# slow_thing\nmodel.cuda()\n")
    plant(tmp_path, "z.py", text="# endless_thing\nmodel.cuda()\n")  # it does not end before it is told to
    log = tmp_path / "log"
    process = start("apply", "--diff", "--no-cache", *series, cwd=tmp_path, env={"FAKES_LOG": str(log)})
    deadline = time.monotonic() + 300
    while not log.exists() or log.read_text().count("\n") < 5:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=300)
    assert process.returncode == 130
    assert said(stderr) == b"Interrupted: no file written, every other file is as it was.\n"
    assert not (tmp_path / "out").exists()


def test_a_bad_file_does_not_stop_the_others(tmp_path: Path) -> None:
    plant(tmp_path, "ok.py", "also.py", text="model.cuda()\n")
    plant(tmp_path, "syntax.py", text="model.cuda(\n")
    plant(tmp_path, "python2.py", text="print 'x', model.cuda()\n")
    plant(tmp_path, "crash.py", text="crash_here = model.cuda()\n")
    plant(tmp_path, "edit.py", text="bad_edit\n")
    (tmp_path / "bytes.py").write_bytes(b"\n\n# \xff\nmodel.cuda()\n")
    (tmp_path / "nul.py").write_bytes(b"model.cuda()\n\0")
    for codec in ("klingon", "rot13", "hex", "undefined"):
        (tmp_path / f"{codec}.py").write_bytes(f"# coding: {codec}\nmodel.cuda()\n".encode())
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.py")}
    result = run("apply", ".", "absent.py", cwd=tmp_path)
    assert result.returncode == 2
    errors = dict(line.split(": ", 2)[1:] for line in result.stderr.decode().splitlines() if line.startswith("error: "))
    assert sorted(errors) == [
        "absent.py", "bytes.py", "crash.py", "edit.py", "hex.py", "klingon.py", "nul.py", "python2.py:1:1", "rot13.py", "syntax.py:1:11", "undefined.py",
    ]  # fmt: skip
    assert errors["absent.py"] == "No such file or directory"
    assert errors["bytes.py"] == "cannot be decoded as utf-8: byte 0xff at offset 4"
    assert "NUL byte" in errors["nul.py"] and "klingon" in errors["klingon.py"]
    assert errors["rot13.py"] == "cannot be decoded: rot13 is no encoding of text"
    assert "cannot be decoded" in errors["hex.py"] and "cannot be decoded" in errors["undefined.py"]
    assert errors["syntax.py:1:11"].startswith("cannot be parsed") and "cannot be parsed" in errors["python2.py:1:1"]
    assert "RuntimeError: this rule" in errors["crash.py"] and "report" in errors["crash.py"]
    assert "not what stands there" in errors["edit.py"] and "report" in errors["edit.py"]
    after = {path.name: path.read_bytes() for path in tmp_path.glob("*.py")}
    assert after.pop("ok.py") == after.pop("also.py") == NEW
    assert after == {name: data for name, data in before.items() if name not in ("ok.py", "also.py")}


def test_a_file_named_outright_is_parsed_though_no_rule_can_matter(tmp_path: Path) -> None:
    plant(tmp_path, "folder/bad.py", "other/bad.py", text="print 'x'\n")
    plant(tmp_path, "good.py", text="x = 1\n")

    def errors(*arguments: str, stdin: bytes = b"") -> tuple[int, list[str]]:
        result = run(*arguments, cwd=tmp_path, stdin=stdin)
        lines = result.stderr.decode().splitlines()
        return result.returncode, [line.split(": ")[1] for line in lines if line.startswith("error: ")]

    assert errors("check", ".") == (0, [])
    bad = os.path.join("folder", "bad.py")
    for command in (["check"], ["apply", "--diff"]):
        assert errors(*command, bad, "good.py") == (2, [f"{bad}:1:1"])
        assert errors(*command, "folder", "other", bad) == (2, [f"{bad}:1:1"])
        assert errors(*command, "-", stdin=b"print 'x'\n")[0] == 2


def test_paths_api(tmp_path: Path) -> None:
    plant(tmp_path, "a.py", text="model.cuda()\nrisky.cuda()\n")
    plant(tmp_path, "b.py", text="nothing\n")
    plant(tmp_path, "c.py", text="model.cuda(\n")
    checked = placefix.check_paths([tmp_path])
    assert [(os.path.basename(r.path), len(r.remaining), len(r.fixable), bool(r.error)) for r in checked] == [
        ("a.py", 2, 1, False),
        ("b.py", 0, 0, False),
        ("c.py", 0, 0, True),
    ]
    dry = placefix.fix_paths([tmp_path / "a.py"], write=False)
    assert dry[0].before_after() == (b"model.cuda()\nrisky.cuda()\n", b"model.to(device)\nrisky.cuda()\n")
    assert not dry[0].written and b".cuda" in (tmp_path / "a.py").read_bytes()
    done = placefix.fix_paths(["a.py"], options=Options(unsafe_fixes=True))
    assert done[0].written
    assert (tmp_path / "a.py").read_text() == "model.to(device)\nrisky.to(device)\n"


def test_source_api() -> None:
    text = "model.cuda()\nrisky.cuda()\n"
    assert len(placefix.check_source(text)) == 2
    assert placefix.check_source(text, options=Options(ignore=("PF901",))) == ()
    outcome = placefix.fix_source(text.encode())
    assert isinstance(outcome, placefix.Changed)
    assert outcome.text == "model.to(device)\nrisky.cuda()\n"
    assert [d.message for d in outcome.remaining] == ["`risky` is on CUDA"]
    assert isinstance(placefix.fix_source("model.cuda("), placefix.Skipped)
    assert isinstance(placefix.fix_source(b"\xff.cuda("), placefix.Skipped)
    with pytest.raises(placefix.ParseError):
        placefix.check_source("model.cuda(")
    with pytest.raises(placefix.SourceError):
        placefix.check_source(b"\xff.cuda(")
    with pytest.raises(ValueError, match="no rule fits"):
        placefix.check_source("", options=Options(select=("XX",)))


def test_all_public_names_exist() -> None:
    for name in placefix.__all__:
        assert getattr(placefix, name) is not None
    with pytest.raises(AttributeError):
        placefix.nonsense  # noqa: B018
