"""docs/errors.md: each message is that of a small program in tests/errors; the rules named there find it, and their fixes repair it.

A program begins with comments: `# message:` what torch raises; `# rules:` which find it; `# devices:` of the simulated machine (default: 1);
`# cpu build:` what a torch without CUDA raises instead; `# written on:` the devices of the machine on whose last one its checkpoint `model.pt` was written; `# fix:` safe (the default), unsafe or none.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import placefix
from placefix.config import Options
from placefix.engine import Changed, ParseError
from placefix.simulate.judgement import first_failure
from placefix.simulate.request import Request
from simulate.battery import of_its_time

if TYPE_CHECKING:
    from placefix.simulate.client import Simulator

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "tests" / "errors").glob("*.py"))
PAGE = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
WRITER = 'import torch\ntorch.save(torch.nn.Linear(4, 2).to("cuda:{}").state_dict(), "model.pt")\n'


class Program(NamedTuple):
    text: str
    message: str
    cpu_build: str
    rules: list[str]
    devices: int
    written_on: int
    fix: str


def read(path: Path) -> Program:
    text = path.read_text(encoding="utf-8")
    said = dict(re.findall(r"^# ([\w ]+): (.*)$", text, re.MULTILINE))
    return Program(
        text,
        said["message"],
        said.get("cpu build", ""),
        said["rules"].split(),
        int(said.get("devices", 1)),
        int(said.get("written on", 0)),
        said.get("fix", "safe"),
    )


def sections() -> dict[str, set[str]]:
    """The messages of the page, and the rules in the table below each."""
    parts = re.findall(r"^```text\n(.*?)\n```\n(.*?)(?=^```text|^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return {
        message: set(re.findall(r"^\| \[(PF\d+)\]", body, re.MULTILINE))
        for messages, body in parts
        for message in messages.splitlines()
    }


def test_the_page_names_the_messages_of_the_programs() -> None:
    programs: dict[str, set[str]] = {}
    for path in PROGRAMS:
        program = read(path)
        programs.setdefault(program.message, set()).update(program.rules)
    shown = sections()
    assert {message: shown.get(message) for message in programs} == programs
    assert shown.keys() - programs.keys() == {read(path).cpu_build for path in PROGRAMS} - {""}


@pytest.mark.parametrize("path", [path for path in PROGRAMS if read(path).cpu_build], ids=lambda path: path.stem)
def test_a_torch_without_cuda(path: Path, tmp_path: Path) -> None:
    if "+cpu" not in version("torch"):
        pytest.skip("this torch is a build with CUDA")
    script = shutil.copy(path, tmp_path)  # a folder of its own: Python looks for modules beside a script
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert read(path).cpu_build in done.stderr


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_program(path: Path, simulator: Simulator, tmp_path: Path) -> None:
    program = read(path)

    def error(text: str, devices: int) -> str:
        script = tmp_path / "program.py"
        script.write_text(text, encoding="utf-8")
        found = first_failure(simulator.run(Request(str(script), folder=str(tmp_path), devices=devices, timeout=600)))
        return f"{found['type']}: {found['text']}" if found else ""

    if program.written_on:
        assert error(WRITER.format(program.written_on - 1), program.written_on) == ""
    assert of_its_time(program.message, version("torch")) in error(program.text, program.devices)

    options = Options(select=tuple(program.rules), unsafe_fixes=program.fix == "unsafe")
    try:
        assert {found.code for found in placefix.check_source(program.text, options=options)} == set(program.rules)
    except ParseError:
        assert program.rules == ["PF400"]
    outcome = placefix.fix_source(program.text, options=options)
    if program.fix == "none":
        assert not isinstance(outcome, Changed)
        return
    assert isinstance(outcome, Changed)
    assert error(outcome.text, program.devices) == ""
