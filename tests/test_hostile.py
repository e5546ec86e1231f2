"""Repositories, caches and inputs that mean harm: nothing of theirs runs, nothing of theirs is believed."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from placefix import worktree
from placefix.batch import RunError
from placefix.config import Options, settle
from placefix.discover import Target

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXT = "import torch\nx = torch.zeros(3).cuda()\n"


# --- git ---------------------------------------------------------------------------------------


def plain(tree: Path, *words: str, check: bool = True) -> str:
    """Git as it is run by hand."""
    done = subprocess.run(["git", "-C", str(tree), *words], capture_output=True, text=True, check=False, timeout=60)
    assert not (check and done.returncode), done.stderr
    return done.stdout


class Trap:
    """A repository with one committed file that has changed since, and a program that leaves a mark."""

    def __init__(self, folder: Path) -> None:
        self.tree = folder / "tree"
        self.mark = folder / "mark"
        self.program = folder / "program"
        self.program.write_text(f"#!/bin/sh\necho ran >>'{self.mark}'\nexit 1\n")
        self.program.chmod(0o755)
        self.tree.mkdir()
        plain(self.tree, "init", "-q", "-b", "main")
        for key, value in (("user.name", "a"), ("user.email", "a@b"), ("commit.gpgsign", "false")):
            plain(self.tree, "config", key, value)
        (self.tree / "a.py").write_text(TEXT)
        self.commit()
        (self.tree / "a.py").write_text(TEXT.replace("3", "4"))  # as long as it was: git has to look into it
        os.utime(self.tree / "a.py", (1, 1))

    def commit(self) -> None:
        plain(self.tree, "add", "-A")
        plain(self.tree, "commit", "-qm", "x", "--no-verify")

    def set(self, key: str, value: str | None = None) -> None:
        plain(self.tree, "config", key, str(self.program) if value is None else value)

    def attribute(self, text: str) -> None:
        (self.tree / ".gitattributes").write_text(f"*.py {text}\n")

    def sprung(self) -> bool:
        """Whether the program has run since this was asked last."""
        ran = self.mark.exists()
        self.mark.unlink(missing_ok=True)
        return ran

    def ask(self) -> None:
        """Everything that placefix asks git."""
        target = Target("a.py", str(self.tree / "a.py"), settle(Options()))
        worktree._disarmed.cache_clear()
        for question in (
            lambda: worktree.changed_since("HEAD", [target]),
            lambda: worktree.require_clean([target.absolute]),
        ):
            with suppress(RunError):
                question()


def _lazy(trap: Trap, protocol: str) -> None:
    """A partial clone that lacks the file's blob, and would fetch it."""
    blob = plain(trap.tree, "rev-parse", "HEAD:a.py").strip()
    (trap.tree / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    url = {"ext": f"ext::{trap.program}", "file": str(trap.tree), "ssh": "ssh://nowhere.invalid/x"}[protocol]
    for key, value in {
        "core.repositoryformatversion": "1", "extensions.partialClone": "origin", "remote.origin.url": url,
        "remote.origin.promisor": "true", "remote.origin.partialclonefilter": "blob:none",
        "protocol.ext.allow": "always", "remote.origin.uploadpack": str(trap.program), "core.sshCommand": str(trap.program),
    }.items():  # fmt: skip
        trap.set(key, value)


def _filter(trap: Trap, word: str, name: str = "f") -> None:
    trap.attribute(f"filter={name}")
    trap.set(f"filter.{name}.{word}")
    trap.set(f"filter.{name}.required", "true")


def _included(trap: Trap) -> None:
    trap.attribute("filter=f")
    (trap.tree / "more").write_text(f'[filter "f"]\n\tclean = {trap.program}\n[core]\n\tfsmonitor = {trap.program}\n')
    trap.set("include.path", "../more")


def _worktree_scope(trap: Trap) -> None:
    trap.set("core.repositoryformatversion", "1")
    trap.set("extensions.worktreeConfig", "true")
    trap.attribute("filter=f")
    plain(trap.tree, "config", "--worktree", "filter.f.clean", str(trap.program))


def _hook(trap: Trap) -> None:
    hook = trap.tree / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_bytes(trap.program.read_bytes())
    hook.chmod(0o755)
    _stale(trap)


def _hooks_path(trap: Trap) -> None:
    _hook(trap)
    (trap.tree / ".git" / "hooks").rename(trap.tree / "theirs")
    trap.set("core.hooksPath", str(trap.tree / "theirs"))


def _stale(trap: Trap) -> None:
    """Let git want to refresh its index."""
    (trap.tree / "b.py").write_text(TEXT)
    trap.commit()
    os.utime(trap.tree / "b.py", (1, 1))
    trap.mark.unlink(missing_ok=True)


def _textconv(trap: Trap) -> None:
    trap.attribute("diff=f")
    trap.set("diff.f.textconv")


def _driver(trap: Trap) -> None:
    trap.attribute("diff=f")
    trap.set("diff.f.command")


def _submodule(trap: Trap) -> None:
    inner = Trap(trap.tree.parent / "inner") if (trap.tree.parent / "inner").mkdir() is None else trap
    plain(trap.tree, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.tree), "sub")
    plain(trap.tree, "commit", "-qm", "sub")
    plain(trap.tree / "sub", "config", "core.fsmonitor", str(trap.program))


STATUS, DIFF = ("status", "--porcelain"), ("diff",)
TRAPS: dict[str, tuple[Callable[[Trap], object], tuple[str, ...]]] = {
    "fsmonitor": (lambda t: t.set("core.fsmonitor"), STATUS),
    "clean": (lambda t: _filter(t, "clean"), STATUS),
    "process": (lambda t: _filter(t, "process"), STATUS),
    "a filter's name with an equals sign": (lambda t: _filter(t, "clean", "f=g.h"), STATUS),
    "include": (_included, STATUS),
    "configuration of the work tree": (_worktree_scope, STATUS),
    "hook": (_hook, STATUS),
    "hooksPath": (_hooks_path, STATUS),
    "textconv": (_textconv, DIFF),
    "external diff": (lambda t: t.set("diff.external"), DIFF),
    "diff driver": (_driver, DIFF),
    "lazy fetch by ext": (lambda t: _lazy(t, "ext"), DIFF),
    "lazy fetch by a local upload-pack": (lambda t: _lazy(t, "file"), DIFF),
    "lazy fetch by sshCommand": (lambda t: _lazy(t, "ssh"), DIFF),
    "submodule": (_submodule, STATUS),
    "alias": (lambda t: t.set("alias.changed", f"!{t.program}"), ("changed",)),
    "pager": (lambda t: t.set("core.pager"), ("--paginate", "log")),
    "credential helper": (lambda t: t.set("credential.helper", f"!{t.program}"), ("credential", "fill")),
}


@pytest.mark.parametrize("name", TRAPS)
def test_nothing_of_a_repository_runs(name: str, tmp_path: Path) -> None:
    trap = Trap(tmp_path)
    build, command = TRAPS[name]
    build(trap)
    trap.sprung()
    trap.ask()
    assert not trap.sprung()
    if name == "pager":  # for terminals only
        ours, theirs = os.openpty()
        subprocess.run(["git", "-C", str(trap.tree), *command], stdout=theirs, check=False, timeout=60)
        os.close(ours)
        os.close(theirs)
    elif name == "credential helper":
        subprocess.run(
            ["git", "-C", str(trap.tree), *command], input=b"protocol=https\nhost=x.invalid\n\n", capture_output=True,
            check=False, timeout=60, env={**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "false"},
        )  # fmt: skip
    else:
        plain(trap.tree, *command, check=False)
    assert trap.sprung(), "plain git runs it"


# --- inputs ------------------------------------------------------------------------------------


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    from placefix import files

    os.mkfifo(tmp_path / "pipe.py")
    for path in (str(tmp_path / "pipe.py"), "/dev/zero"):
        with pytest.raises(files.FileError, match="not a regular file"):
            files.read(path)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    from placefix import files

    with open(tmp_path / "a.py", "wb") as stream:
        stream.truncate(files.LARGEST + 1)
    with pytest.raises(files.FileError, match="larger than 256 MB"):
        files.read(str(tmp_path / "a.py"))


def test_a_configuration_that_is_a_pipe_is_an_error_of_one_line(tmp_path: Path) -> None:
    from placefix.config import ConfigError, Configs

    os.mkfifo(tmp_path / "placefix.toml")
    with pytest.raises(ConfigError, match="not a regular file"):
        Configs().at(str(tmp_path))


def test_an_ignore_file_that_is_a_pipe_is_passed_over(tmp_path: Path) -> None:
    from placefix.config import Configs
    from placefix.discover import discover

    (tmp_path / "a.py").write_text(TEXT)
    os.mkfifo(tmp_path / ".gitignore")
    assert [t.path for t in discover([tmp_path], Configs(isolated=True))] == [str(tmp_path / "a.py")]


def test_a_file_that_another_run_has_repaired_alike_is_no_error(tmp_path: Path) -> None:
    from placefix import files

    path = tmp_path / "a.py"
    path.write_bytes(b"new")
    files.replace(str(path), b"old", b"new")
    assert path.read_bytes() == b"new"
    with pytest.raises(files.FileError, match="changed since"):
        files.replace(str(path), b"old", b"other")
    assert [p.name for p in tmp_path.iterdir()] == ["a.py"]
