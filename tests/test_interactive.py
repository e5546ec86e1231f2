"""`apply --interactive`: what is asked, what an answer does, and what stands in the files afterwards."""

from __future__ import annotations

import ast
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest

import placefix
from corpus_support import ROOT, git
from fakes import FAKES, run
from placefix import rule_selection
from placefix.config import Configs, Options
from placefix.report.output_stream import OutputStream
from placefix.session import ExecutionOptions, Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SCRIPTS = sorted(path.with_suffix(".py") for path in (ROOT / "corpus" / "scripts").glob("*.diff"))

TRAIN = """\
import torch
from torch import nn


def main():
    model = nn.Linear(2, 2)
    model = nn.DataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.cuda()
    criterion = nn.CrossEntropyLoss().cuda()
    x = torch.zeros(1, 2)
    x = x.cuda()
    model(x).sum().backward()
    x = x.cuda()
    optimizer.step()


if __name__ == "__main__":
    main()
"""


class Person:
    """Answers from a list, then with the end of the input; counts the questions."""

    def __init__(self, answers: Iterable[str | type[BaseException]] = ()) -> None:
        self.asked = 0
        self._answers = iter(answers)

    def __call__(self) -> str:
        self.asked += 1
        answer = next(self._answers, "")
        if not isinstance(answer, str):
            raise answer
        return answer + "\n" if answer else ""


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    monkeypatch.chdir(tmp_path / "w")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PLACEFIX_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "stdout", sys.__stdout__)  # Stream writes bytes


def session(*paths: str, options: Options | None = None, means: ExecutionOptions | None = None) -> Session:
    return Session(
        paths or ["."], Configs(options or Options()), OutputStream(colour=False), means=means or ExecutionOptions()
    )


def answered(*answers: str | type[BaseException], options: Options | None = None) -> tuple[Person, str]:
    """t.py after a run with these answers."""
    person = Person(answers)
    assert session(options=options).interactive(person) == 0
    return person, Path("t.py").read_text()


def test_to_agree_with_everything_is_apply(tmp_path: Path) -> None:
    for path in SCRIPTS:
        shutil.copy(path, ".")
    shutil.copytree(".", tmp_path / "applied")
    assert session().interactive(Person(["y"] * 2000)) == 0
    assert session(str(tmp_path / "applied")).apply("concise") == 0
    for path in SCRIPTS:
        assert Path(path.name).read_bytes() == (tmp_path / "applied" / path.name).read_bytes(), path.name


@pytest.mark.parametrize("unsafe", [False, True])
def test_any_answers(unsafe: bool) -> None:
    """What is left is what was rejected: nothing is offered twice, and nothing is forgotten. Each script is answered once."""
    options = Options(unsafe_fixes=unsafe)
    chance = random.Random(7)
    for path in SCRIPTS[unsafe::2]:
        shutil.copy(path, "t.py")
        answers = [chance.choice("ynn") for _ in range(200)]
        person = Person(answers)
        assert session(options=options).interactive(person) == 0
        after = Path("t.py").read_bytes()
        assert person.asked < 200
        rejected = answers[: person.asked].count("n")
        ast.parse(after)
        # one question is about one fix, which several findings may have
        left = len({d.fix for result in placefix.check_paths(["t.py"], options=options) for d in result.fixable})
        assert left <= rejected, f"{path.name}: not everything was asked about"
        if "y" not in answers[: person.asked]:
            assert (after, left) == (path.read_bytes(), rejected), path.name


def test_nothing_is_offered_again_where_lines_shift(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    Path("t.py").write_text(TRAIN)
    # the move, then: no to the first `.cuda()`; yes to the loss (a line comes in above); no to both, alike, of x
    person, after = answered("y", "n", "y", "n", "n")
    assert person.asked == 5
    assert after.count("x = x.cuda()\n") == 2 and "model.cuda()\n    model = nn.DataParallel(model)\n" in after
    assert "device = torch.device(" in after and "nn.CrossEntropyLoss().to(device)" in after
    said = capfdbinary.readouterr()
    assert (
        said.err.decode() == "Fixed 2 problems in 1 file: t.py. 3 remain: 3 warnings. Take back with `placefix undo`.\n"
    )
    for number in ("(1/1)", "(2/5)", "(3/5)", "(4/5)", "(5/5)"):
        assert said.out.decode().count(f"{number} Apply this fix [y,n,a,d,r,b,q,?]? ") == 1


def test_one_of_two_that_are_alike() -> None:
    Path("t.py").write_text(TRAIN)
    _, after = answered("n", "n", "n", "n", "n", "y")
    first, second = after.split("    model(x).sum()")
    assert first.endswith("    x = x.cuda()\n") and "\n    x = x.to(device)\n" in second


def test_what_the_layout_does_not_allow_ends_no_questions(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """PF201, which makes way for PF102, is asked about once that is rejected, though another fix cannot be written."""
    Path("t.py").write_text(TRAIN)
    plain, _ = answered(*"n" * 20)
    Path("t.py").write_text(
        TRAIN.replace(
            "    optimizer.step()\n",
            "    optimizer.step()\n    if torch.cuda.is_available():\n        x = x.cuda()  # " + "x" * 50_001 + "\n",
        )
    )
    capfdbinary.readouterr()
    person, _ = answered(*"n" * 20)
    assert person.asked == plain.asked == 6
    assert b": style PF201 " in capfdbinary.readouterr().out


def test_what_is_said(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_selection, "RULES", FAKES)
    Path("t.py").write_text("model.cuda()\n\n\n\nrisky.cuda()\n")
    assert answered("n")[0].asked == 1
    capfdbinary.readouterr()
    person, after = answered("n", "y", options=Options(unsafe_fixes=True))
    assert (person.asked, after) == (2, "model.cuda()\n\n\n\nrisky.to(device)\n")
    assert (
        [line.rstrip() for line in capfdbinary.readouterr().out.decode().splitlines()]
        == """\
t.py:1:1: warning PF901 [*] `model` is on CUDA
  1 | model.cuda()
    | ^^^^^^^^^^^^
  fix: Move `model` to the device
    @@ -1,4 +1,4 @@
    -model.cuda()
    +model.to(device)



  why: Because the *test* says so.

       And it says so twice.
(1/2) Apply this fix [y,n,a,d,r,b,q,?]?
t.py:5:1: warning PF901 [*] `risky` is on CUDA
  5 | risky.cuda()
    | ^^^^^^^^^^^^
  unsafe fix: Move `risky` to the device
  because: risky may be anything
    @@ -2,4 +2,4 @@



    -risky.cuda()
    +risky.to(device)
(2/2) Apply this unsafe fix [y,n,a,d,r,b,q,?]?
""".splitlines()
    )


def test_help_and_what_is_no_answer(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    Path("t.py").write_text(TRAIN)
    person, after = answered("?", "yes", "  ", "D")
    assert (person.asked, after) == (4, TRAIN)
    said = capfdbinary.readouterr().out.decode()
    assert said.count("\nn - do not apply this fix\n") == 3
    assert said.count("PF102 dataparallel-wrap-before-placement: ") == 1


@pytest.mark.parametrize(("answers", "fixed"), [
    (["a"], {"a": 4, "b": 4}),
    (["y", "a", "y", "d"], {"a": 4, "b": 1}),
    (["d", "y", "y", "d"], {"a": 0, "b": 2}),
    (["n", "d", "n", "n", "n", "n"], {"a": 0, "b": 0}),
    (["a", "y", "q"], {"a": 4, "b": 1}),
    (["a", "y"], {"a": 4, "b": 1}),
    (["a", "y", KeyboardInterrupt, "y"], {"a": 4, "b": 1}),
    (["q"], {"a": 0, "b": 0}),
])  # fmt: skip
def test_answers(
    answers: list[str | type[BaseException]],
    fixed: dict[str, int],
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rule_selection, "RULES", FAKES)
    text = "".join(f"{name}.cuda()\n" for name in "abcd")
    Path("a.py").write_text(text)
    Path("b.py").write_text(text)
    if answers == ["a"]:
        answers = ["a", "a"]
    person = Person(answers)
    assert session().interactive(person) == 0
    assert {name: Path(f"{name}.py").read_text().count(".to(device)") for name in "ab"} == fixed
    written = [f"{name}.py" for name, count in fixed.items() if count]
    last = capfdbinary.readouterr().err.decode().splitlines()[-1]
    assert f": {', '.join(written)}." in last if written else last.startswith(("Nothing to fix", "Stopped. Nothing"))
    stopped = "q" in answers or KeyboardInterrupt in answers or answers == ["a", "y"]
    assert last.startswith("Stopped. ") == stopped


@pytest.mark.parametrize(("answer", "moved"), [("y", 2), ("n", 0), ("a", 2), ("r", 2), ("d", 0)])
def test_a_fix_of_several_findings_is_one_question(
    answer: str, moved: int, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    Path("t.py").write_text(
        """\
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
lstm = nn.LSTM(3, 3).to(device)
h = torch.zeros(1, 2, 3)
c = torch.zeros(1, 2, 3)
out, _ = lstm(torch.zeros(5, 2, 3).to(device), (h, c))
"""
    )
    person, after = answered(answer)
    assert (person.asked, after.count("torch.zeros(1, 2, 3, device=device)")) == (1, moved)
    said = capfdbinary.readouterr()
    assert said.out.count(b"(1/1) Apply this fix of 2 problems [") == 1
    assert said.out.count(b"error PF302") == 2
    assert said.out.count(b"+c = torch.zeros(1, 2, 3, device=device)") == 1
    assert said.err.startswith(b"Fixed 2 problems" if moved else b"Nothing")


def test_undo(tmp_path: Path) -> None:
    Path("t.py").write_text(TRAIN)
    Path("u.py").write_text(TRAIN)
    session().interactive(Person(["y", "d", "y", "d"]))
    assert Path("t.py").read_text() == Path("u.py").read_text() != TRAIN
    from placefix import journal

    assert len(journal.undo_last_run(journal.default_folder(), journal.journal_home(os.getcwd()))) == 2
    assert Path("t.py").read_text() == Path("u.py").read_text() == TRAIN


def test_uncommitted_changes_are_known_before_the_first_question(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    Path("t.py").write_text(TRAIN)
    git("init", "-q", cwd=Path())
    person = Person(["a"])
    with pytest.raises(SystemExit) as stop:
        session().interactive(person)
    assert (stop.value.code, person.asked, Path("t.py").read_text()) == (2, 0, TRAIN)
    assert b"uncommitted changes: t.py" in capfdbinary.readouterr().err


def test_a_file_that_is_edited_meanwhile_is_left_alone() -> None:
    def read() -> str:
        Path("t.py").write_text("x = 1\n")
        return "a\n"

    Path("t.py").write_text(TRAIN)
    assert session().interactive(read) == 2
    assert Path("t.py").read_text() == "x = 1\n"


def test_notebooks(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    cells = ["import torch\n%matplotlib inline", "x = torch.zeros(1).cuda()", "y = torch.ones(1).cuda()"]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell, id=f"c{n}") for n, cell in enumerate(cells)])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    Path("n.ipynb").write_text(nbformat.writes(book))
    person = Person(["n", "y"])
    assert session().interactive(person) == 0
    sources = [cell.source for cell in nbformat.read("n.ipynb", 4).cells]
    assert person.asked == 2 and sources[1:] != cells[1:]
    assert "cuda()" in sources[1] and "ones(1, device=device)" in sources[2].replace(
        "ones(1).to(device)", "ones(1, device=device)"
    )
    assert b"cell 2:1:" in capfdbinary.readouterr().out


def test_what_cannot_be_parsed_is_mended_whole_or_not_at_all() -> None:
    text = "import torch\nx = torch.zeros(1)\nx = x.cuda(async=True)\ny = x.cuda(async=True)\n"
    Path("t.py").write_text(text)
    person, after = answered("n")
    assert (person.asked, after) == (1, text)
    person, after = answered("y", "d")
    assert person.asked == 2 and after == text.replace("async", "non_blocking")


def test_a_first_step_is_taken_with_all_that_follows() -> None:
    case = (ROOT / "tests" / "cases" / "PF501" / "forward_tensors.py").read_text().replace("# rules", "# no")
    options = Options(add_placement=True)
    Path("t.py").write_text(case)
    person, after = answered("y", options=options)
    assert person.asked == 1 and after == placefix.fix_source(case, options=options).text  # type: ignore[union-attr]
    Path("t.py").write_text(case)
    person, after = answered(*"n" * 20, options=options)
    assert after == case


def test_results_of_other_processes_are_asked_about_in_order(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for number in range(24):
        Path(f"t{number:02}.py").write_text(TRAIN + "#" * 100_000)
    person = Person(["d"] * 23 + ["a"])
    assert session(means=ExecutionOptions(jobs=2, cache=None)).interactive(person) == 0
    said = capfdbinary.readouterr().out.decode()
    assert [line.partition(":")[0] for line in said.splitlines() if ": style PF102" in line] == [
        f"t{n:02}.py" for n in range(24)
    ]
    assert [n for n in range(24) if "cuda()" not in Path(f"t{n:02}.py").read_text()] == [23]


# From outside


def test_without_a_terminal_nobody_is_asked(tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text("model.cuda()\n")
    done = run("apply", "-i", cwd=tmp_path, stdin=b"y\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"error: --interactive asks on a terminal, and standard input is none\n"
    assert (tmp_path / "t.py").read_text() == "model.cuda()\n"


@pytest.mark.parametrize("more", [["--diff"], ["--output-file", "x"], ["-"]])
def test_what_it_does_not_go_with(tmp_path: Path, more: list[str]) -> None:
    done = run("apply", "--interactive", *more, cwd=tmp_path)
    assert done.returncode == 2 and b"--interactive goes with neither" in b" ".join(done.stderr.split())


def on_a_terminal(folder: Path, act: Callable[[int, subprocess.Popen[bytes]], None], *options: str) -> tuple[int, str]:
    """`placefix apply -i` on a terminal of its own, where `act` does what a person does: exit code, and what was shown."""
    import pty

    person, terminal = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "PLACEFIX_CACHE_DIR": f"{folder}-cache", "XDG_STATE_HOME": f"{folder}-state"}
    for name in ("NO_COLOR", "FORCE_COLOR"):
        env.pop(name, None)
    program = [sys.executable, str(ROOT / "tests" / "fakes.py"), "apply", "--interactive", *options]
    process = subprocess.Popen(
        program, cwd=folder, stdin=terminal, stdout=terminal, stderr=terminal, env=env, start_new_session=True
    )
    os.close(terminal)
    shown = b""
    try:
        while True:
            data = os.read(person, 4096)
            shown += data
            if shown.endswith((b"]? \x1b[0m", b"]? ")):
                act(person, process)
    except OSError:  # Linux, where the other side is closed
        pass
    finally:
        os.close(person)
    return process.wait(60), shown.decode().replace("\r\n", "\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_on_a_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    (folder / "t.py").write_text("model.cuda()\nnet.cuda()\nother.cuda()\n")
    answers = iter([b"n\n", b"y\n", b"q\n"])
    code, shown = on_a_terminal(folder, lambda person, _: os.write(person, next(answers)) and None)
    assert code == 0
    assert (folder / "t.py").read_text() == "model.cuda()\nnet.to(device)\nother.cuda()\n"
    assert "\x1b[32m+net.to(device)" in shown and "(2/3) Apply this fix [y,n,a,d,r,b,q,?]? " in shown
    assert shown.endswith(
        "Stopped. Fixed 1 problem in 1 file: t.py. 2 remain: 2 warnings. Take back with `placefix undo`.\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_ctrl_c_on_a_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    (folder / "t.py").write_text("model.cuda()\nnet.cuda()\n")
    steps = iter([lambda person, _: os.write(person, b"y\n"), lambda _, process: process.send_signal(signal.SIGINT)])
    code, shown = on_a_terminal(folder, lambda person, process: next(steps)(person, process) and None)
    assert code == 0 and "Traceback" not in shown
    assert (folder / "t.py").read_text() == "model.to(device)\nnet.cuda()\n"
    assert shown.endswith(
        "Stopped. Fixed 1 problem in 1 file: t.py. 1 remains: 1 warning. Take back with `placefix undo`.\n"
    )


# --- one rule, back, unsafe fixes, and what was accepted before ------------------------------------------------------


def test_an_accepted_fix_is_in_the_later_diffs(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    Path("t.py").write_text(
        "import torch\n\nx = torch.zeros(1).cuda()\ny = torch.zeros(1).cuda()\nz = torch.zeros(1).cuda()\n"
    )
    _, after = answered("y", "n", "y")
    first, second, third = capfdbinary.readouterr().out.decode().split("Apply this fix [y,n,a,d,r,b,q,?]? ")[:3]
    assert "+device = torch.device(" in first
    assert "+device" not in second and " x = torch.zeros(1, device=device)\n" in second, "x has been accepted"
    assert " y = torch.zeros(1).cuda()\n" in third and "+z = torch.zeros(1, device=device)" in third, "y has not"
    assert after.count("device=device") == 2 and "y = torch.zeros(1).cuda()" in after


def test_all_of_a_rule() -> None:
    """In this file and the next ones; the other rules are asked about."""
    text = "import torch\n\nx = torch.zeros(1).cuda()\ny = torch.zeros(1).cuda()\ntorch.cuda.synchronize()\n"
    for name in ("a.py", "b.py"):
        Path(name).write_text(text)
    person = Person(["r", "n", "n"])
    assert session().interactive(person) == 0
    assert person.asked == 3, "the synchronize in each file"
    for name in ("a.py", "b.py"):
        after = Path(name).read_text()
        assert ".cuda()" not in after and "\ntorch.cuda.synchronize()" in after


def test_all_of_a_rule_that_is_safe_leaves_the_unsafe_ones_to_be_asked(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    (folder / "t.py").write_text("model.cuda()\nrisky.cuda()\nnet.cuda()\n")
    answers = iter([b"r\n", b"n\n"])
    code, shown = on_a_terminal(folder, lambda person, _: os.write(person, next(answers)) and None, "--unsafe-fixes")
    assert code == 0 and "Apply this unsafe fix" in shown
    assert (folder / "t.py").read_text() == "model.to(device)\nrisky.cuda()\nnet.to(device)\n"


def test_back(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    Path("t.py").write_text(
        "import torch\n\nx = torch.zeros(1).cuda()\ny = torch.zeros(1).cuda()\nz = torch.zeros(1).cuda()\n"
    )
    person, after = answered("b", "y", "y", "b", "b", "n", "y", "n")
    assert person.asked == 8
    assert [".cuda()" in line for line in after.splitlines() if "zeros" in line] == [True, False, True]
    shown = capfdbinary.readouterr().out.decode()
    assert shown.count("This is the first question about this file.") == 1
    assert shown.count("(1/3)") == 3 and shown.count("(2/3)") == 3 and shown.count("(3/3)") == 2


def test_back_over_a_round(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """The move is written before the next questions are known; back takes it away again."""
    Path("t.py").write_text(TRAIN)
    person, after = answered("y", "b", "n", "d")
    assert person.asked == 4 and after == TRAIN


def test_back_over_all_of_a_rule() -> None:
    Path("t.py").write_text(
        "import torch\n\nx = torch.zeros(1).cuda()\ntorch.cuda.synchronize()\ny = torch.zeros(1).cuda()\n"
    )
    person, after = answered("r", "b", "n", "n", "y")
    assert person.asked == 5
    assert "x = torch.zeros(1).cuda()" in after and "y = torch.zeros(1, device=device)" in after


def test_unsafe_fixes_are_announced(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    text = "def f(x):\n    x.cuda()\n    return x\n"
    Path("t.py").write_text(text)
    [unsafe] = placefix.check_paths(["t.py"])[0].remaining
    assert unsafe.fix is not None and unsafe.fix.applicability.value == "unsafe"
    person, after = answered()
    assert (person.asked, after) == (0, text)
    assert capfdbinary.readouterr().err.startswith(b"1 unsafe fix not offered: `--unsafe-fixes` adds them")
    person, after = answered("n", options=Options(unsafe_fixes=True))
    assert (person.asked, after) == (1, text)
    said = capfdbinary.readouterr()
    assert b"Apply this unsafe fix [" in said.out and b"not offered" not in said.err
