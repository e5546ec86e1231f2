"""The battery: every case says what it should, and every twin runs clean."""

from __future__ import annotations

from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from placefix.simulate.judgement import first_failure, silent_errors
from placefix.simulate.request import Request
from simulate.battery import Case, cases

if TYPE_CHECKING:
    from pathlib import Path

    from placefix.simulate.client import Simulator

CASES = cases(version("torch") if find_spec("torch") else "2.13.0")


def param(case: Case) -> object:
    """A case that starts processes takes ten times as long as another one."""
    return pytest.param(case, id=case.name, marks=[pytest.mark.proof] if "spawn(" in case.script else [])


@pytest.mark.parametrize("case", [param(case) for case in CASES])
def test_case(case: Case, simulator: Simulator, tmp_path: Path) -> None:
    script = tmp_path / f"{case.name}.py"
    script.write_text(case.script, encoding="utf-8")
    report = simulator.run(Request(str(script), folder=str(tmp_path), devices=case.gpus, timeout=600))
    error, quiet = first_failure(report), silent_errors(report)
    got = f"{error['type']}: {error['text']}" if error else f"silent: {'; '.join(quiet)}" if quiet else "clean"
    kind, _, text = case.want.partition(": ")
    assert got.startswith(kind) and text in got, f"want {case.want}\ngot  {got}\n{report['err']}"


def test_there_are_enough() -> None:
    wrong = [case for case in CASES if case.want != "clean"]
    assert len(wrong) >= 90
    assert len({case.name for case in CASES}) == len(CASES)
    assert {f"{case.name}__twin" for case in wrong} <= {case.name for case in CASES}
