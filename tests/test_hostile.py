"""Repositories, caches and inputs that mean harm: nothing of theirs runs, nothing of theirs is believed."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from command import run
from placefix import git
from placefix.config import Options, settle
from placefix.discover import Target
from placefix.runner import RunError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXT = "import torch\nx = torch.zeros(3).cuda()\n"


# --- git ---------------------------------------------------------------------------------------


def plain(tree: Path, *words: str, check: bool = True) -> str:
    """Git as it is run by hand."""
    done = subprocess.run(["git", "-C", str(tree), *words], capture_output=True, text=True, check=False, timeout=600)
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
        git._disarming_options.cache_clear()
        for question in (
            lambda: git.changed_since("HEAD", [target]),
            lambda: git.require_clean([target.absolute]),
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
        subprocess.run(["git", "-C", str(trap.tree), *command], stdout=theirs, check=False, timeout=600)
        os.close(ours)
        os.close(theirs)
    elif name == "credential helper":
        subprocess.run(
            ["git", "-C", str(trap.tree), *command], input=b"protocol=https\nhost=x.invalid\n\n", capture_output=True,
            check=False, timeout=600, env={**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "false"},
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


def test_what_another_run_writes_meanwhile_is_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second run comes when the first has compared the file and is about to replace it."""
    from concurrent.futures import ThreadPoolExecutor
    from threading import Event

    from placefix import files

    pytest.importorskip("fcntl")
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    compared, replace = Event(), files.os.replace

    def slowly(source: str, target: str) -> None:
        if not compared.is_set():
            compared.set()
            with suppress(TimeoutError):
                second.result(0.5)  # it waits for this one
        replace(source, target)

    monkeypatch.setattr(files.os, "replace", slowly)
    with ThreadPoolExecutor(2) as pool:
        second = pool.submit(lambda: (compared.wait(), files.replace(str(path), b"old", b"second")))
        first = pool.submit(files.replace, str(path), b"old", b"first")
        first.result()
        with pytest.raises(files.FileError, match="changed since"):
            second.result()
    assert path.read_bytes() == b"first"


# --- terminals ---------------------------------------------------------------------------------

# Colours, a link (OSC 8), the start of a line, an 8-bit control sequence, text that turns round, a byte that is no text.
EVIL = "\x1b[31m\x1b]8;;http://x.invalid\x07\r\x9b2J\u202e[red]\udc9b\ud800"
NAME = "\x1b]0;t\x07\x9b\u202e[red].py"


def obeyed(shown: str) -> list[str]:
    """The characters of an output that a terminal would do something about; not colours, which are placefix's own."""
    import re

    own = re.sub(r"\x1b\[[0-9;?]*[mKAlh]", "", shown.replace("\r\n", "\n"))
    return [c for c in own if not c.isprintable() and c not in "\n\t"]


def terminal(folder: Path, *words: str, typed: str = "", err: bool = True) -> str:
    """What `placefix WORDS` writes to a terminal, by both of its streams."""
    import pty
    import sys

    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "PLACEFIX_CACHE_DIR": f"{folder}-cache", "XDG_STATE_HOME": f"{folder}-state"}
    process = subprocess.Popen(
        [sys.executable, "-m", "placefix", *words], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=env
    )
    os.close(theirs)
    os.write(ours, typed.encode())
    seen = b""
    with suppress(OSError):  # Linux reports the end of a pseudo-terminal so
        while part := os.read(ours, 65536):
            seen += part
    process.wait()
    os.close(ours)
    return seen.decode("utf-8", "surrogateescape")


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    code = "import torch\nx = torch.zeros(3).cuda()  # \x1b[31m\x1b]0;t\x07 \x9b2J \u202e [red]\n"
    name = "def f(x):\n    x.get('\x1b]0;t\x07\x9b\u202e[red]').cuda()\n"
    (folder / NAME).write_text(code + name)
    (folder / f"bad{NAME}").write_text("x.cuda(\n")
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ("check",), ("check", "--output-format", "concise"), ("check", "--statistics"), ("check", "--preview"),
        ("check", "--color", "never"), ("check", "--output-format", "github"), ("check", "--output-format", "junit"),
        ("check", "--output-format", "sarif"), ("check", "--output-format", "gitlab"), ("check", "--output-format", "json"),
        ("check", "--output-format", "json-lines"), ("inventory",), ("inventory", "--output-format", "markdown"),
        ("inventory", "--color", "never"), ("apply", "--diff"), ("apply", "--diff", "--color", "never"), ("apply",),
        ("check", NAME, "absent\x1b[31m\x9b"), ("check", "--config", f"absent{NAME}"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_nothing_of_a_repository_reaches_a_terminal_as_it_is(evil: Path, words: tuple[str, ...]) -> None:
    shown = terminal(evil, *words, *(["--no-cache"] if words[0] == "check" else []))
    assert shown and obeyed(shown) == []


# Names on the command line: a script passes on what it finds in a folder.
@pytest.mark.parametrize(
    "words",
    [
        ("check", f"--no{NAME}"), (f"no{NAME}",), ("check", "--jobs", NAME), ("check", "--report", f"absent{NAME}/x.html"),
        ("check", "--output-format", NAME), ("check", "--select", NAME), ("check", "--target-torch", NAME), ("check", "--device-name", NAME),
        ("apply", "--diff", "--split-by", "dir", "--output-dir", f"{NAME}/{NAME}"), ("rule", NAME), ("explain", f"{NAME}:1"),
        ("explain", f"absent{NAME}:1"), ("explain", f"{NAME}:{NAME}"), ("clean", "--cache-dir", NAME), ("verify", f"absent{NAME}"),
        ("completion", NAME), ("check", "--base-ref", NAME), ("check", "--executor", NAME), ("check", "--stdin-filename", NAME),
    ],
    ids=ascii,
)  # fmt: skip
def test_nor_by_words_of_the_command_line(evil: Path, words: tuple[str, ...]) -> None:
    shown = terminal(evil, *words)
    assert shown and obeyed(shown) == []


def test_nor_by_questions(evil: Path) -> None:
    shown = terminal(evil, "apply", "--interactive", typed="?\nn\nq\n")
    assert "Apply this fix" in shown and obeyed(shown.replace("\x04", "")) == []


def test_nor_by_undo(evil: Path) -> None:
    terminal(evil, "apply")
    (evil / NAME).write_text("changed since\n")
    shown = terminal(evil, "undo")
    assert "changed since placefix wrote it" in shown and obeyed(shown) == []


def test_nor_by_configuration(evil: Path) -> None:
    (evil / "placefix.toml").write_text('"a\\u001b]0;t\\u0007\\u009b\\u202e" = 1\n')
    shown = terminal(evil, "check")
    assert "unknown key" in shown and obeyed(shown) == []


def test_nor_by_the_progress_of_a_long_run(evil: Path) -> None:
    from placefix.report import output_stream, progress

    class Bar:
        def show(self, done: int, path: str) -> None:
            shown.append(path)

    shown: list[str] = []
    seen = progress.Progress(output_stream.OutputStream(colour=False))
    seen._terminal, seen._bar, seen._next = True, Bar(), 0.0  # type: ignore[assignment]
    seen.seen(1, 2, EVIL)
    assert len(shown) == 1 and obeyed(shown[0]) == []


def test_a_stream_escapes_all_that_it_is_given(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    from placefix.report.output_stream import OutputStream, StyledText

    for colour in (False, True):
        out = OutputStream(colour=colour)
        out.terminal = True
        out.line(EVIL, StyledText(EVIL, "path"))
        out.prompt(EVIL)
        out.error(EVIL, EVIL)
        out.note(EVIL)
        for written in capfdbinary.readouterr():
            assert written.count(b"\\x1b[31m") == written.count(b"\\ud800") >= 3
            assert obeyed(written.decode()) == []


COMMAND = "::add-mask::x\n##[error]x"
LOGGED = f'''import torch

text = """
{COMMAND}
"""
x = torch.zeros(3).cuda()  # ##[group]x
text = """
{COMMAND}
"""
'''


def log(folder: Path, *words: str, **env: str) -> list[str]:
    """The lines that `placefix WORDS` writes into a pipe."""
    return run(*words, "--no-cache", cwd=folder, env=env).stdout.decode().splitlines()


@pytest.mark.parametrize(
    "words",
    [("check",), ("check", "--output-format", "concise"), ("check", "--statistics"), ("apply", "--diff"), ("apply", "--isolated")],
    ids=" ".join,
)  # fmt: skip
def test_github_obeys_no_line_of_code(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "::a.py").write_text(LOGGED)
    plain = log(tmp_path, *words)
    (tmp_path / "::a.py").write_text(LOGGED)
    lines = log(tmp_path, *words, GITHUB_ACTIONS="true")
    if not plain:
        assert lines == []
        return
    word = lines[0].removeprefix("::stop-commands::")
    assert len(word) == 32 and lines[-1] == f"::{word}::"
    assert lines[1:-1] == plain


@pytest.mark.parametrize("form", ["json", "github", "sarif", "gitlab", "junit", "json-lines"])
def test_what_a_program_reads_has_no_lines_for_github(tmp_path: Path, form: str) -> None:
    (tmp_path / "::a.py").write_text(LOGGED)
    lines = log(tmp_path, "check", "--output-format", form, GITHUB_ACTIONS="true")
    assert not any("stop-commands" in line for line in lines)
    obeyed = [line for line in lines if line.strip().startswith("::") or "##[" in line.replace("##[group]x", "")]
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in obeyed), obeyed


def test_a_diff_for_the_log_still_applies(tmp_path: Path) -> None:
    import shutil

    (tmp_path / "a.py").write_text(LOGGED)
    shown = "\n".join(log(tmp_path, "apply", "--diff", GITHUB_ACTIONS="true")) + "\n"
    assert shown.startswith("::stop-commands::")
    git = shutil.which("git")
    assert git is not None
    subprocess.run([git, "apply", "-"], cwd=tmp_path, input=shown.encode(), check=True)
    assert "cuda" not in (tmp_path / "a.py").read_text().partition("x = torch")[2]


def test_a_diff_that_is_piped_is_exact(evil: Path) -> None:
    import sys

    command = [sys.executable, "-m", "placefix", "apply", "--diff", NAME]
    patch = subprocess.run(command, cwd=evil, capture_output=True, check=False).stdout
    assert "\x1b]0;t\x07 \x9b2J \u202e".encode() in patch
    subprocess.run(["git", "apply", "-"], cwd=evil, input=patch, check=True)
    assert ".cuda()  # \x1b[31m" not in (evil / NAME).read_text()


# --- Python's own search for modules ------------------------------------------------------------


@pytest.mark.parametrize("command", [("check",), ("apply", "--diff"), ("rule", "--all")])
def test_no_module_of_the_working_directory_runs(tmp_path: Path, command: tuple[str, ...]) -> None:
    import sys

    mark = tmp_path / "mark"
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in ("ast", "typing", "libcst", "typer", "json", "difflib", "rich", "concurrent", "tomllib", "symtable"):
        (tree / f"{name}.py").write_text(f"open({str(mark)!r}, 'a').write(__name__)\n{TEXT}")
    done = subprocess.run(
        [sys.executable, "-m", "placefix", *command], cwd=tree, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    assert not mark.exists()


def test_owners_that_are_no_file_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("codeowners")
    from placefix.patch_series import owners

    monkeypatch.chdir(tmp_path)
    os.mkfifo(tmp_path / "CODEOWNERS")
    with pytest.raises(RunError, match="not a regular file"):
        owners.OwnerLookup().of(str(tmp_path / "a.py"))
    (tmp_path / "CODEOWNERS").unlink()
    (tmp_path / "CODEOWNERS").write_text("#" * (owners._LARGEST + 1))
    with pytest.raises(RunError, match="larger than 3 MB"):
        owners.OwnerLookup().of(str(tmp_path / "a.py"))
