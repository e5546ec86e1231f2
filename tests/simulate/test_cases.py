"""Every fix case is run: it fails before as its findings say, is clean after, and gives the numbers of the plain CPU.

`programs` tells what a case says about that in comments; a case that neither runs nor says why not fails.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import simulate.programs as programs
from each import check_each
from placefix import engine
from placefix.diagnostic import Severity
from placefix.engine import Changed
from placefix.rules import RULES
from placefix.simulate.comparison import is_within_tolerance, printed_numbers
from placefix.simulate.judgement import CLEAN, DEVICE_ERROR, ONLY_WITH_DEVICES, UNKNOWN, Judgement, first_failure, judge
from placefix.simulate.request import Request
from test_cases import CASES, FILES, chosen, read

if TYPE_CHECKING:
    from pathlib import Path

    from placefix.simulate.client import Simulator

GOLDEN = [path for path in FILES if path.with_suffix(".fixed.py").exists()]
# What a machine without CUDA says to code that is hard-coded to it.
NO_CUDA = re.compile(
    r"Torch not compiled with CUDA enabled|Cannot access accelerator device|Invalid device id|No CUDA|"
    r"Attempting to deserialize object on a CUDA device|PyTorch was compiled without CUDA|"
    r"Invalid device, must be cuda device|Device index must not be negative|"
    r"without MPS backend|not linked with support for mps|not compiled with XPU"
)

# A second device shows something only to a program that may use more than one.
SEVERAL = re.compile(r"Parallel|count|cuda:|cuda\([^)]|_device\b|[Dd]evice\(|rank|gpu|GPU|index|visible|VISIBLE")


class Runs:
    """One text of a case on every machine."""

    def __init__(self, simulator: Simulator, text: str, program: programs.Program, folder: Path) -> None:
        number = len(list(folder.iterdir()))
        self.on: dict[int, Judgement] = {}
        for devices in program.machines:
            here = folder / f"{number}-{devices}"
            request = Request(
                str(programs.MODULES / "case.py"),
                program.arguments,
                folder=str(here),
                source=str(programs.write(text, program, here)),
                timeout=600,
                stub_data=True,
                shared_numbers=True,
                plain_optimizers=True,
            )
            self.on[devices] = (
                judge(simulator, request, (devices,), locate=False) if devices else plain(simulator, request)
            )

    def clean(self, devices: int) -> bool:
        return self.on[devices].verdict == CLEAN

    def output(self, devices: int) -> dict[str, Any]:
        return self.on[devices].reports[devices]

    def said(self) -> dict[int, str]:
        """What went wrong, by the number of devices."""
        return {devices: _said(found) for devices, found in self.on.items() if found.verdict != CLEAN}


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:  # what PF400 is about
        return False
    return True


def plain(simulator: Simulator, request: Request) -> Judgement:
    """A run on a machine without an accelerator."""
    report = simulator.run(replace(request, devices=0))
    error = first_failure(report)
    return Judgement(verdict=CLEAN if error is None else UNKNOWN, error=error, reports={0: report})


def _said(found: Judgement) -> str:
    error: dict[str, Any] = found.error or {"type": "silent", "text": "; ".join(found.silent), "where": []}
    where = [f"line {frame['line']}: {frame['source']}" for frame in error["where"][-1:]]
    return " | ".join([f"{error['type']}: {error['text'][:400]}", *where])


def is_of_devices(found: Judgement) -> bool:
    """Whether a run failed for its devices: by torch's words, or because the same fails with devices only."""
    return found.verdict == DEVICE_ERROR or found.reason.startswith(ONLY_WITH_DEVICES)


def of_another_kind(runs: Runs, expected: str) -> list[str]:
    """The failures that are no matter of devices: the case is no program, or its driver is wrong. expected: a text of the failure that a
    rule about other failures is for."""
    return [
        f"with {devices} devices: {runs.said()[devices]}"
        for devices, found in runs.on.items()
        if found.verdict != CLEAN
        and not (is_of_devices(found) if devices else NO_CUDA.search(_said(found)))
        and not (expected and expected in _said(found))
    ]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_case(path: Path, simulator: Simulator, tmp_path: Path) -> None:
    case = read(path)
    program = programs.read(case.source.text)
    assert case.fixed is not None
    assert program == programs.read(case.fixed), "the fixed case is run otherwise"
    if program.not_run:
        return
    if not SEVERAL.search(case.source.text):
        program = program._replace(machines=tuple(n for n in program.machines if n != 2))
    before = Runs(simulator, case.source.text, program, tmp_path)
    if parses(case.source.text):
        assert of_another_kind(before, program.fails) == []
    else:
        assert all(said.startswith("SyntaxError") for said in before.said().values())
    findings = list(engine.check(case.source, case.settings, chosen(case)))
    style = all(d.severity is Severity.STYLE for d in findings if d.fix is not None)
    failing = program.before.startswith("error: ") or (not style and not program.before)
    assert program.before.partition(": ")[0] in ("", "error" if style else "clean"), "this is what is expected anyway"
    assert bool(before.said()) == failing, before.said() or "the case runs clean"

    golden = Runs(simulator, case.fixed, program, tmp_path)
    unsafe = case.unsafe or any(d.fix is not None and d.fix.premise for d in findings if case.unsafe)
    for devices in program.machines:
        if before.clean(devices):
            assert golden.clean(devices), f"the fix breaks it: {golden.said()[devices]}"
            if not program.numbers and not unsafe:
                assert alike(before.output(devices), golden.output(devices), exact=devices == 0)

    fixed = golden
    if program.after in ("unsafe", "all"):
        rules = list(RULES) if program.after == "all" else chosen(case)
        outcome = engine.fix(case.source, case.settings, rules, unsafe=True)
        assert isinstance(outcome, Changed)
        assert golden.said(), "the safe fixes suffice"
        fixed = Runs(simulator, outcome.text, program, tmp_path)
    elif program.after:
        text, _, why = program.after.rpartition(": ")
        assert why
        assert golden.said()
        assert all(text in said for said in golden.said().values()), golden.said()
        return
    assert fixed.said() == {}
    if 0 in program.machines and not program.numbers:
        for devices in program.machines:
            assert alike(fixed.output(0), fixed.output(devices), exact=False), fixed.output(devices)


def test_what_is_found_is_run() -> None:
    """A finding in a function that nothing calls would be judged by nothing."""
    check_each(has_calls_of_its_functions, GOLDEN, lambda p: f"{p.parent.name}/{p.stem}")


def has_calls_of_its_functions(path: Path) -> None:
    case = read(path)
    assert case.fixed is not None
    program = programs.read(case.source.text)
    if program.not_run:
        return
    tree = ast.parse(case.fixed + ("\n" + program.driver if program.driver else ""))
    rows = {row for row, line in enumerate(case.fixed.splitlines(), 1) if "# want:" in line}
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for function in functions:
        if function.name.startswith("__") or function.name == "forward":
            continue
        if rows.isdisjoint(range(function.lineno, function.end_lineno + 1)):
            continue
        inside = set(ast.walk(function))
        names = {
            node.id if isinstance(node, ast.Name) else node.attr
            for node in ast.walk(tree)
            if isinstance(node, (ast.Name, ast.Attribute)) and node not in inside
        }
        assert function.name in names, f"nothing calls {function.name}"


# What these rules find goes wrong wherever there are two devices, and they repair nothing.
REPORTED = [p for p in FILES if p.parent.name in ("PF104", "PF106") and not p.stem.startswith("no_")]
SPAWNED = CASES / "PF107" / "spawned.py"  # the other cases of that rule start no processes


@pytest.mark.parametrize(
    "path", [*REPORTED, pytest.param(SPAWNED, marks=pytest.mark.proof)], ids=lambda p: f"{p.parent.name}/{p.stem}"
)
def test_what_is_reported_is_wrong(path: Path, simulator: Simulator, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "# want:" in text
    found = Runs(simulator, text, programs.read(text)._replace(machines=(2,)), tmp_path)
    assert found.on[2].verdict == DEVICE_ERROR or "different weights" in found.said()[2], found.said()


def alike(left: dict[str, Any], right: dict[str, Any], *, exact: bool) -> bool:
    """Whether two runs print the same: to the letter, or the same numbers but for the rounding."""
    return _text(left) == _text(right) if exact else is_within_tolerance(printed_numbers(left), printed_numbers(right))


def _text(report: dict[str, Any]) -> str:
    return re.sub(r" at 0x[0-9a-f]+", "", report["out"])


def test_most_cases_run() -> None:
    excused = [path for path in GOLDEN if programs.read(path.read_text(encoding="utf-8-sig")).not_run]
    assert len(excused) * 20 <= len(GOLDEN), "excuses are few"
    for path in excused:
        assert len(programs.read(path.read_text(encoding="utf-8-sig")).not_run) > 20, f"{path.stem} does not say why"
