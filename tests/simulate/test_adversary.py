"""The generator of hostile programs: what it calls harm, that what it writes are programs, and a few that `apply` must not harm."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import adversary
from adversary_judge import (
    HARMS,
    PRINTS,
    PULLED,
    RAISES,
    UNLIKE,
    VALUES,
    Judge,
    Run,
    Verdict,
    fixing_rules,
    is_own_fault,
)
from adversary_program import program_of
from hostile import PIECES

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


@pytest.mark.parametrize(
    ("after", "kind"),
    [("model(x, 1)", ""), ("y = model(y)", RAISES), ("x = model(x.cuda())", ""), ("print(1)", "")],
)
def test_a_program_that_raised_before(simulator: Simulator, tmp_path: Path, after: str, kind: str) -> None:
    """It may raise otherwise, or run; that a name is not bound is harm in any case."""
    broken = BEFORE.replace("torch.ones(3).cuda()", "torch.ones(3)") + "model(x)\n"
    verdict = compared(simulator, tmp_path, broken, broken.replace("model(x)", after))
    assert verdict.kind == kind and not verdict.clean


def test_other_numbers_of_a_program_that_raised_before(simulator: Simulator, tmp_path: Path) -> None:
    broken = BEFORE.replace("torch.ones(3).cuda()", "torch.ones(3)") + "model(x)\n"
    after = broken.replace("model(x)", "model(x.cuda())").replace("x * 2", "x * 3")
    assert compared(simulator, tmp_path, broken, after).kind == PRINTS


def test_a_program_is_its_number() -> None:
    one, other = (adversary.task_of(adversary.plan_of(11)).key() for _ in range(2))
    assert one == other != adversary.task_of(adversary.plan_of(12)).key()


@pytest.mark.parametrize("piece", sorted(PIECES))
def test_every_piece_is_a_program(piece: str) -> None:
    for seed in range(20):
        files = adversary.files_of(adversary.Plan(seed, ((0, piece),)))
        for name, text in files.items():
            ast.parse(text if name.endswith(".py") and name != "main.py" else program_of(files))


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


def first_program(judge: Judge, code: str) -> adversary.Plan | None:
    """The first program of a piece for a rule to which the rule's safe fix is applied."""
    for seed in range(40, 60):
        for name in sorted(name for name, piece in PIECES.items() if code in piece.rules):
            plan = adversary.Plan(seed, ((0, name),))
            if code in judge.rules_applied(adversary.task_of(plan)):
                return plan
    return None


def test_a_program_of_each_class_and_rule_is_not_harmed(simulator: Simulator) -> None:
    judge = Judge(simulator)
    by_rule = {code: first_program(judge, code) for code in fixing_rules()}
    assert not [code for code, plan in by_rule.items() if plan is None]
    shown = [name for name, piece in PIECES.items() if piece.shows]
    plans = [adversary.Plan(50 + number, ((0, name),)) for number, name in enumerate(shown)]
    plans += list(dict.fromkeys(plan for plan in by_rule.values() if plan is not None))
    verdicts = judge.judge_all([adversary.task_of(plan) for plan in plans])
    harmed = [
        (plan, verdict.what) for plan, verdict in zip(plans, verdicts, strict=True) if verdict.kind in HARMS
    ]  # fmt: skip
    assert not harmed
    assert {code for verdict in verdicts for code in verdict.rules} >= set(fixing_rules())
    assert sum(verdict.changed and verdict.clean for verdict in verdicts) >= 10


def test_a_record_is_judged_again_by_other_code(
    simulator: Simulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "record.jsonl"
    monkeypatch.setattr(adversary, "Judge", lambda: Judge(simulator))

    def recorded() -> list[int]:
        return [row["seed"] for row in adversary.run(range(4), adversary.read(file), 0, file, 1e9, ())]

    assert recorded() == [0, 1, 2, 3]
    assert recorded() == []
    keys = [row["key"] for row in adversary.read(file).rows.values()]
    monkeypatch.setattr(adversary, "code_stamp", lambda: "other")
    for name in ("_together", "compare"):
        monkeypatch.setattr(Judge, name, lambda *_, **__: pytest.fail("it was run before"))
    assert recorded() == [0, 1, 2, 3]
    assert [row["key"] for row in adversary.read(file).rows.values()] == keys and any(keys)


FAULTY = "import torch\n\n\ndef fit(x):\n    x = x.to(device)\n    device = None\n    return x\n\n\ndef main():\n    torch.ones(2).cuda()\n"


@pytest.mark.parametrize(
    ("error", "function", "after", "own"),
    [
        ("UnboundLocalError: ... variable 'device' ...", "fit", FAULTY.replace(".cuda()", ".to(device)"), True),
        ("UnboundLocalError: ... variable 'z' ...", "main", FAULTY.replace(".cuda()", ".to(device)"), True),
        ("NameError: name 'device' ...", "main", FAULTY.replace(".cuda()", ".to(device)"), False),
        ("UnboundLocalError: ... variable 'x' ...", "fit", FAULTY.replace("    x = x.to", "    y = x.to"), False),
        ("NameError: name 'torch' ...", "fit", FAULTY.replace("import torch\n", "import math\n"), False),
        ("UnboundLocalError: ... variable 'device' ...", "main", FAULTY + "    device = 1\n", False),
    ],
)
def test_a_fault_of_the_program_itself_is_no_harm(error: str, function: str, after: str, own: bool) -> None:
    run = Run(error, function, "", [], {})
    assert is_own_fault(run, {"main.py": FAULTY}, {"main.py": after}) is own
