"""Each seeded bug is found at its line, and the first sentence names the culprit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from placefix.simulate.judgement import DEVICE_ERROR, judge
from placefix.simulate.notebook_program import notebook_program
from placefix.simulate.request import Request
from placefix.simulate.verify_output import describe_judgement
from simulate.seeded_bugs import SeededBug, seeded_bugs

if TYPE_CHECKING:
    from pathlib import Path

    from placefix.simulate.client import Simulator

BUGS = seeded_bugs()


@pytest.mark.proof  # each runs twice, and some start processes
def param(bug: SeededBug) -> object:
    """A bug as a parameter; the proofs leave out the one in two processes."""
    marks = [pytest.mark.battery] if bug.name == "ranks_with_labels_on_the_host" else []
    return pytest.param(bug, id=bug.name, marks=marks)


@pytest.mark.parametrize("bug", [param(bug) for bug in BUGS])
def test_bug(bug: SeededBug, simulator: Simulator, tmp_path: Path) -> None:
    script = bug.write(tmp_path)
    request = Request(str(script), folder=str(tmp_path), memory=bug.memory, timeout=600)
    if bug.is_notebook:
        program = notebook_program(script.read_bytes())
        (tmp_path / "program.py").write_text(program.text, encoding="utf-8")
        source = str(tmp_path / "program.py")
        request = Request(str(script), folder=str(tmp_path), source=source, line_names=list(program.names), timeout=600)
    judgement = judge(simulator, request, [bug.gpus])
    lines = list(describe_judgement(judgement, request))
    assert judgement.verdict == DEVICE_ERROR, "\n".join(lines)
    assert bug.want in lines[0], "\n".join(lines)
    assert bug.place in "\n".join(lines[:4]), "\n".join(lines)


def test_there_are_twenty() -> None:
    assert len(BUGS) >= 20
    texts = ["".join([bug.text, *bug.files.values()]) for bug in BUGS]
    assert all(20 <= len(text.splitlines()) <= 60 for text in texts)
