"""The generator of hostile programs: what it calls harm, that what it writes are programs, and a few that `apply` must not harm."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import adversary
from adversary_judge import HARMS, PRINTS, PULLED, RAISES, UNLIKE, VALUES, Judge, Verdict
from adversary_pieces import PIECES
from adversary_program import program_of

if TYPE_CHECKING:
    from placefix.simulate.client import Simulator

BEFORE = """\
import torch


def kept(x):
    y = x * 2
    return y.sum().item()


model = torch.nn.Linear(3, 3).cuda()
x = torch.ones(3).cuda()
print(kept(x))
"""
EDITS = {
    "y = x * 2": ("y = x.cpu() * 2", PULLED),  # a local name of a function
    "Linear(3, 3).cuda()": ("Linear(3, 3)", PULLED),
    "print(kept(x))": ("print(kept(x) + 1)", PRINTS),
    "torch.ones(3).cuda()": ("torch.ones(3).to(devise)", RAISES),
    "y = x * 2\n": ("y = x * 3 - x\n    z = y.sum()\n    y += 1\n    y -= 1\n", ""),
    "x = torch.ones(3).cuda()": ('x = torch.ones(3).to("cuda:0")', ""),
    "model = torch": ("torch.rand(1)\nmodel = torch", VALUES),
}


def compared(simulator: Simulator, folder: Path, before: str, after: str) -> Verdict:
    for name, text in (("before", before), ("after", after)):
        (folder / name).mkdir()
        (folder / name / "main.py").write_text(text, encoding="utf-8")
    return Judge(simulator).compare(folder / "before", folder / "after", [], several=False)


@pytest.mark.parametrize("old", EDITS)
def test_what_harm_is(old: str, simulator: Simulator, tmp_path: Path) -> None:
    new, kind = EDITS[old]
    text = "import torch\ntorch.manual_seed(0)" + BEFORE.removeprefix("import torch")
    assert old in text
    assert compared(simulator, tmp_path, text, text.replace(old, new)).kind == kind


def test_another_number_without_a_gpu_than_with_one(simulator: Simulator, tmp_path: Path) -> None:
    after = BEFORE.replace(".cuda()", '.to("cuda" if torch.cuda.is_available() else "cpu")')
    (tmp_path / "same").mkdir()
    (tmp_path / "other").mkdir()
    assert not compared(simulator, tmp_path / "same", BEFORE, after).kind
    other = after.replace("print(kept(x))", "print(kept(x) + 6 - 6.0 * torch.cuda.is_available())")
    assert compared(simulator, tmp_path / "other", BEFORE, other).kind == UNLIKE


def test_what_raised_before_cannot_be_harmed(simulator: Simulator, tmp_path: Path) -> None:
    broken = BEFORE.replace("torch.ones(3).cuda()", "torch.ones(3)") + "model(x)\n"
    verdict = compared(simulator, tmp_path, broken, broken.replace("model(x)", "model(y)"))
    assert not verdict.kind and not verdict.clean


def test_a_program_is_its_number() -> None:
    one, other = (adversary.write(adversary.plan_of(11)).render() for _ in range(2))
    assert one == other


@pytest.mark.parametrize("piece", sorted(set(PIECES) - {"old_keyword"}))
def test_every_piece_is_a_program(piece: str) -> None:
    for seed in range(20):
        files = adversary.write(adversary.Plan(seed, ((0, piece),))).render()
        for name, text in files.items():
            ast.parse(text if name.endswith(".py") else program_of(files))


def test_programs_together_do_what_each_does_alone(simulator: Simulator, tmp_path: Path) -> None:
    judge, jobs = Judge(simulator), []
    for number in range(6):
        program = adversary.write(
            adversary.Plan(number, ((0, ("mixture", "checkpoint", "guard_in_helper")[number % 3]),))
        )
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, text in program.render().items():
            (folder / name).write_text(text, encoding="utf-8")
        jobs.append((folder, program.arguments))
    for devices in (0, 1):
        together = judge.run_all(jobs, devices)
        assert [(run.error, run.out) for run in together] == [
            (run.error, run.out) for run in (judge.run(*job, devices) for job in jobs)
        ]
    assert all(run.held for run in together if not run.error) and any(run.held for run in together)


def test_one_program_of_each_class_is_not_harmed(simulator: Simulator) -> None:
    pieces = [piece for pieces in adversary.CLASSES.values() for piece in pieces]
    plans = [adversary.Plan(50 + number, ((0, piece),)) for number, piece in enumerate(pieces)]
    verdicts = Judge(simulator).judge_all([adversary.task_of(plan) for plan in plans])
    harmed = [
        (plan.pieces[0][1], verdict.what)
        for plan, verdict in zip(plans, verdicts, strict=True)
        if verdict.kind in HARMS
    ]
    assert not harmed
    assert sum(verdict.changed and verdict.clean for verdict in verdicts) >= 5
