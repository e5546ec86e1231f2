"""Many files by several processes and from the cache: the same results, in the same order."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import pytest

from command import run_text
from fakes import run, said, start
from placefix import process_pool, runner
from placefix.config import Configs
from placefix.discover import discover
from placefix.facts.program.repository import Project
from test_project import HEAD, NET, TRAIN

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from placefix.facts.program.tree import Tree

LONG = "# " + "x" * 80_000 + "\n"  # so that a few files are worth processes
KINDS = (
    "model.cuda()\n", "risky.cuda()\n", "x = 1\n", "model.cuda(\n", "crash_here = model.cuda()\n", "kept.cuda()\n",
    "bad_edit\n", "shown.cuda()\nmodel.cuda()\n",
)  # fmt: skip


def plant(root: Path, count: int, texts: tuple[str, ...] = KINDS, long: str = LONG) -> None:
    for number in range(count):
        folder = root / f"d{number % 5}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"f{number:03}.py").write_text(texts[number % len(texts)] + long)


def texts(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text() for path in root.rglob("*.py")}


@pytest.mark.parametrize("command", [("check",), ("check", "--output-format", "json"), ("apply", "--diff"), ("apply",)])
def test_any_number_of_processes_gives_the_same(tmp_path: Path, command: tuple[str, ...]) -> None:
    outputs = []
    for jobs in ("1", "3"):
        root = tmp_path / jobs / "repo"
        plant(root, 70)
        done = run(*command, ".", "-j", jobs, "--no-cache", cwd=root)
        where = os.fsencode(root)
        outputs.append((done.returncode, done.stdout.replace(where, b""), done.stderr.replace(where, b""), texts(root)))
    assert outputs[0] == outputs[1]
    assert outputs[0][0] == 2 and outputs[0][1] and outputs[0][2].count(b"error: ") > 10


def test_the_processes_of_a_whole_run_are_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unwaited for, the pool's thread may be woken while Python shuts down, and fail aloud."""
    plant(tmp_path, 40)
    waits = []
    close = process_pool._Pool._close

    def closing(self: process_pool._Pool, *, wait: bool = False) -> None:
        waits.append(wait)
        close(self, wait=wait)

    monkeypatch.setattr(process_pool._Pool, "_close", closing)
    targets = discover([str(tmp_path)], Configs(isolated=True))
    for fixing in (False, True):
        found = list(
            process_pool.results(
                targets, runner.Repositories((str(tmp_path),)), process_pool.PoolOptions(jobs=2), fixing=fixing
            )
        )
        assert len(found) == 40
    assert waits == [True, True]


def test_a_worker_knows_what_files_import_for_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real rules: what train.py imports is read once in a run, however many chunks ask; a worker of a cluster sees the next
    run, and by then the file may be another one."""
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "net.py").write_text(NET)
    for name in ("train.py", "again.py"):
        (tmp_path / name).write_text(HEAD + "from net import Net\n" + TRAIN.format(make="Net()", move="pass"))
    asked = [
        target for target in discover([str(tmp_path)], Configs(isolated=True)) if not target.path.endswith("net.py")
    ]
    reads = []
    parse = Project._parse

    def parsing(self: Project, path: str) -> Tree | None:
        reads.append(path)
        return parse(self, path)

    monkeypatch.setattr(Project, "_parse", parsing)

    def findings(run: str) -> list[int]:
        chunks = [process_pool._Chunk((target,), (str(tmp_path),), False, True, run) for target in asked]
        answers = [process_pool.work(chunk)[0] for chunk in chunks]
        return [
            len(process_pool._result_of_answer(t, answer).outcome.remaining)
            for t, answer in zip(asked, answers, strict=True)
        ]

    before = findings("one")
    assert before[0] == before[1] > 0
    assert len(reads) == 1
    (tmp_path / "net.py").write_text(NET.replace("return self.fc(x)", "return self.fc(x.to(self.fc.weight.device))"))
    assert findings("two") == [0, 0]
    assert len(reads) == 2


def test_a_process_that_dies_costs_its_file_alone(tmp_path: Path) -> None:
    plant(tmp_path, 40)
    (tmp_path / "d2" / "die.py").write_text("die_here = model.cuda()\n")
    done = run("apply", ".", "-j", "2", cwd=tmp_path)
    errors = [line for line in done.stderr.decode().splitlines() if line.startswith("error: ") and " died;" in line]
    assert errors == [
        f"error: {os.path.join('d2', 'die.py')}: placefix failed: the process that looked at the file died; please report this"
    ]
    fixed = [name for name, text in texts(tmp_path).items() if "model.to(device)" in text]
    assert len(fixed) == 10  # two kinds of eight
    assert (tmp_path / "d2" / "die.py").read_text() == "die_here = model.cuda()\n"


def children(pid: int) -> list[str]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return listed.stdout.split()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_processes_leave_nothing(tmp_path: Path, number: int) -> None:
    plant(tmp_path, 200, ("# slow_thing\nmodel.cuda()\n",), LONG[:20_000])
    for folder in tmp_path.iterdir():  # it does not end before it is told to
        (folder / "z.py").write_text("# endless_thing\nmodel.cuda()\n")
    before = texts(tmp_path)
    log = tmp_path.parent / f"{tmp_path.name}-log"
    process = start("apply", ".", "-j", "2", cwd=tmp_path, env={"FAKES_LOG": str(log)})
    deadline = time.monotonic() + 300
    while len(workers := children(process.pid)) < 2 or not log.exists():  # they are there, and at work
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=300)
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert said(stderr) == b"Interrupted: no file written, every other file is as it was.\n"
    assert texts(tmp_path) == before
    deadline = time.monotonic() + 300
    while any(os.path.exists(f"/proc/{worker}") for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.1)


# The cache


class Repo:
    """A folder of files, and `placefix` in it with a log of what is looked at."""

    def __init__(self, root: Path) -> None:
        self.root = root / "repo"
        self.log = root / "log"
        self.cache = root / "cache"
        plant(self.root, 40, long="")

    def run(self, *args: str) -> tuple[tuple[int, bytes, bytes], list[str]]:
        """What comes of a run, and the files it looked into."""
        self.log.write_text("")
        env = {"FAKES_LOG": str(self.log), "PLACEFIX_CACHE_DIR": str(self.cache)}
        done = run(*args, cwd=self.root, env=env)
        return (done.returncode, done.stdout, done.stderr), sorted(set(self.log.read_text().split()))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


FAILING = [f"f{number:03}.py" for number in range(40) if number % 8 == 4]  # their rule crashes: never kept


# What is written never comes from a cache: who can write there could write anything.
CHANGED = [f"f{number:03}.py" for number in range(40) if number % 8 in (0, 7)]


@pytest.mark.parametrize(
    ("command", "again"),
    [
        (("check",), FAILING),
        (("check", "--output-format", "json"), FAILING),
        (("apply", "--diff"), sorted(FAILING + CHANGED)),
    ],
)
def test_nothing_is_looked_at_twice(repo: Repo, command: tuple[str, ...], again: list[str]) -> None:
    plain, looked = repo.run(*command, "--no-cache")
    assert len(looked) == 25 and not repo.cache.exists()
    assert repo.run(*command) == (plain, looked)
    assert repo.run(*command) == (plain, again)


def test_what_a_result_rests_on(repo: Repo) -> None:
    _, looked = repo.run("check")
    (repo.root / "d0" / "f000.py").write_text("model.cuda()\nother.cuda()\n")
    again, only = repo.run("check", "--output-format", "concise")
    assert only == ["f000.py", *FAILING] and b"d0/f000.py:2:1" in again[1]
    for options in (["--select", "PF901"], ["--device-name", "dev"], ["--ignore", "PF911"]):
        assert len(repo.run("check", *options)[1]) >= 20, options
    assert repo.run("check", "--ignore", "PF911")[1] == FAILING  # the last options
    (repo.root / "placefix.toml").write_text('[per-file-ignores]\n"d0/*" = ["PF901"]\n')
    assert b"d0/f000" not in repo.run("check", "--output-format", "concise")[0][1]
    assert len(looked) == 25


def test_a_bad_cache_is_no_cache(repo: Repo) -> None:
    first, looked = repo.run("check")
    assert repo.run("check")[1] == FAILING
    for file in repo.cache.glob("*.placefix-cache"):
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
    assert repo.run("check") == (first, looked)
    for number, file in enumerate(sorted(repo.cache.glob("*.placefix-cache"))):
        file.write_bytes(file.read_bytes()[: number * 20])
    assert repo.run("check") == (first, looked)
    assert repo.run("check") == (first, FAILING)


def forge(cache: Path, change: Callable[[list[Any]], object]) -> None:
    """Change every entry of a cache, and sign it as placefix does."""
    for file in cache.glob("*.placefix-cache"):
        shard = json.loads(file.read_bytes().partition(b"\n")[2])
        for modes in shard["files"].values():
            for entry in modes.values():
                change(entry)
        body = json.dumps(shard).encode()
        file.write_bytes(blake2b(body, digest_size=16).hexdigest().encode() + b"\n" + body)


def diagnostic(entry: list[Any]) -> list[Any]:
    """The first finding of an entry, as plain data; a new one where there is none."""
    found = entry[4][1] if len(entry[4]) > 1 else []
    return found[1] if isinstance(found, list) and len(found) > 1 else [None] * 7


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: entry.__setitem__(1, "x"),
        lambda entry: entry.__setitem__(1, [10**9]),
        lambda entry: entry.__setitem__(4, [99]),
        lambda entry: entry.__setitem__(4, {"a": 1}),
        lambda entry: diagnostic(entry).__setitem__(3, 7),
        lambda entry: diagnostic(entry).__setitem__(2, [6, -5, 10**9]),
        lambda entry: diagnostic(entry).__setitem__(2, "span"),
        lambda entry: diagnostic(entry).__setitem__(5, [6, 0, 1]),
        lambda entry: entry.clear(),
    ],
)
def test_a_forged_cache_is_no_cache(repo: Repo, change: Callable[[list[Any]], object]) -> None:
    first, _ = repo.run("check")
    forge(repo.cache, change)
    assert repo.run("check")[0] == first
    assert b"Traceback" not in first[2]


def test_nothing_is_written_that_stands_in_a_cache(repo: Repo) -> None:
    plain, _ = repo.run("apply", "--diff", "--no-cache")
    repo.run("apply", "--diff")
    forge(repo.cache, lambda entry: entry.__setitem__(4, [1, "import os  # somebody else's\n", [-2], [-2]]))
    assert repo.run("apply", "--diff")[0] == plain
    assert b"somebody" not in b"".join(file.read_bytes() for file in repo.root.rglob("*.py"))


@pytest.mark.parametrize("kind", ["folder", "pipe", "loop of links"])
def test_a_cache_file_that_is_none(repo: Repo, kind: str) -> None:
    first, looked = repo.run("check")
    for file in repo.cache.glob("*.placefix-cache"):
        file.unlink()
        if kind == "folder":
            file.mkdir()
        elif kind == "pipe":
            os.mkfifo(file)
        else:
            file.symlink_to(file)
    assert repo.run("check") == (first, looked)


def test_a_cache_that_cannot_be_kept_is_none(repo: Repo) -> None:
    repo.cache.write_text("a file")
    first, looked = repo.run("check")
    assert repo.run("check") == (first, looked) and first[0] == 2


def test_runs_at_the_same_time(repo: Repo) -> None:
    env = {"PLACEFIX_CACHE_DIR": str(repo.cache)}
    plain, _ = repo.run("check", "--no-cache")
    for _ in range(2):
        runs = [start("check", cwd=repo.root, env=env) for _ in range(4)]
        for process in runs:
            stdout, stderr = process.communicate(timeout=600)
            assert (process.returncode, stdout, said(stderr)) == plain
    assert repo.run("check") == (plain, FAILING)
    assert not list(repo.cache.glob("*.tmp"))


def test_clean(repo: Repo) -> None:
    _, looked = repo.run("check")
    (repo.cache / "mine.txt").write_text("not placefix's")
    assert repo.run("clean")[0][:2] == (0, f"Removed 5 cache files from {repo.cache}.\n".encode())
    assert os.listdir(repo.cache) == ["mine.txt"]
    assert repo.run("check")[1] == looked
    assert repo.run("clean", "--cache-dir", str(repo.cache / "absent"))[0][0] == 0


def test_small_runs_keep_nothing(repo: Repo) -> None:
    repo.run("check", "d0")
    assert not repo.cache.exists()


def test_what_was_read_of_other_files_counts(tmp_path: Path) -> None:
    """Real rules: train.py is judged by net.py, which it imports."""
    root, cache = tmp_path / "repo", tmp_path / "cache"
    plant(root, 30, ("x = 1\n",), "")
    (root / "pyproject.toml").write_text("")
    (root / "net.py").write_text(NET)
    train = HEAD + "from net import Net\n" + TRAIN.format(make="Net()", move="pass")
    (root / "train.py").write_text(train)

    def check(*options: str) -> str:
        words = ["--ignore", "PF4", "--output-format", "concise", *options]
        return run_text("check", *words, cwd=root, env={"PLACEFIX_CACHE_DIR": str(cache)}).stdout

    outputs = []
    changes = {
        "as it is": NET,
        "moves by itself": NET.replace("return self.fc(x)", "return self.fc(x.to(self.fc.weight.device))"),
        "gone": None,
        "back": NET,
    }
    for change, text in changes.items():
        (root / "net.py").unlink() if text is None else (root / "net.py").write_text(text)
        plain = check("--no-cache")
        assert check() == check() == plain, change
        outputs.append(plain)
    assert outputs[0] == outputs[3] and "PF301" in outputs[0]
    assert outputs[0] not in outputs[1:3]


# Progress


def on_a_terminal(root: Path, *args: str) -> str:
    """What a run writes to standard error where that is a terminal."""
    ours, theirs = pty.openpty()
    script = os.path.join(os.path.dirname(__file__), "fakes.py")
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "PLACEFIX_CACHE_DIR": f"{root}-cache"}
    process = subprocess.Popen(
        [sys.executable, script, *args],
        cwd=root,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        stderr=theirs,
        env=env,
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    process.communicate(timeout=600)
    os.close(ours)
    return seen.decode()


def test_progress(tmp_path: Path) -> None:
    plant(tmp_path, 30, ("# slow_thing\nmodel.cuda()\n",), "")
    shown = on_a_terminal(tmp_path, "check", "--no-cache")
    assert "/30" in shown and "files/s" in shown and os.path.join("d1", "f") in shown
    assert shown.endswith("Found 30 problems in 30 files: 30 warnings (30 fixable with `placefix apply`).\r\n")
    assert on_a_terminal(tmp_path, "check", "--no-cache", "--quiet") == ""


def test_progress_where_nobody_watches(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Not on a terminal: nothing of a run that is soon over, a line every ten seconds of a longer one."""
    from placefix.report import output_stream, progress

    clock = 100.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock)
    seen = progress.Progress(output_stream.OutputStream(colour=False)).seen
    shown = []
    for clock in (100.0, 109.0, 110.0, 119.0, 121.0, 140.0):
        seen(int(clock), 140, "a\x1b.py")
        shown.append(capsys.readouterr().err)
    assert shown == [
        "",
        "",
        "110 of 140 files, 11 a second, now a\\x1b.py\n",
        "",
        "121 of 140 files, 6 a second, now a\\x1b.py\n",
        "",
    ]
