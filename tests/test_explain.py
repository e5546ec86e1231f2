"""`placefix explain FILE:LINE`: what the analysis believes at a line, told before and after it, by caller, with what is assumed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from command import run_text
from placefix.config import Configs
from placefix.explain import ExplainedExpression, ExplainError, Explanation, explain_line

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

SCRIPT = """\
import torch
from torch import nn
from zoo import build


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(x)


def train(model, loader, device):
    criterion = nn.CrossEntropyLoss()
    for x, y in loader:
        x = x.to(device)
        loss = criterion(model(x), y)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = Net()
net.to(device)
data = torch.utils.data.TensorDataset(torch.randn(8, 8), torch.zeros(8))
train(net, torch.utils.data.DataLoader(data), device)
other = build("resnet")
train(other, torch.utils.data.DataLoader(data), "cpu")
"""
CHOICE = "CUDA if it is available, else the CPU"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text(SCRIPT)
    return path


def explained(path: Path, row: int, cell: int | None = None) -> Explanation:
    return explain_line(str(path), row, cell, Configs(isolated=True))


def entries(explanation: Explanation, view: int = 0) -> dict[str, ExplainedExpression]:
    return {entry.name: entry for entry in explanation.views[view].entries}


def row_of(text: str) -> int:
    return SCRIPT.split("\n").index(text) + 1


def test_a_placement_is_told_before_and_after_its_line(script: Path) -> None:
    net = entries(explained(script, row_of("net.to(device)")))["net"]
    assert (net.kind, net.place) == (f"module `Net` (class: line {row_of('class Net(nn.Module):')})", "on the CPU")
    assert net.after == f"on `device` ({CHOICE})"
    assert net.since == f"since line {row_of('net.to(device)')}"


def test_a_name_that_is_bound_again_keeps_where_it_was(script: Path) -> None:
    x = entries(explained(script, row_of("        x = x.to(device)")))["x"]
    assert (x.place, x.after) == ("on the CPU", f"on `device` ({CHOICE})")


def test_each_caller_has_a_part(script: Path) -> None:
    found = explained(script, row_of("        loss = criterion(model(x), y)"))
    first, second = (row_of(line) for line in SCRIPT.split("\n") if line.startswith("train("))
    assert [view.called_from for view in found.views] == [(f"line {first}",), (f"line {second}",)]
    assert entries(found)["model"].place == f"on `device` ({CHOICE})"
    assert entries(found)["y"].place == "on the CPU"
    assert entries(found, 1)["model"].place == ""
    assert entries(found, 1)["model"].kind == "unknown: result of `zoo.build`"


def test_calls_that_are_not_seen_into_are_listed(script: Path) -> None:
    found = explained(script, row_of("        loss = criterion(model(x), y)"))
    assert any('`build("resnet")`' in call and "zoo.build" in call for call in found.unseen)
    assert explained(script, row_of("net.to(device)")).unseen == ()


def test_findings_of_the_line_are_named(script: Path) -> None:
    assert [d.code for d in explained(script, row_of("    for x, y in loader:")).findings] == ["PF301"]
    assert explained(script, row_of("net = Net()")).findings == ()


def test_what_use_shows_is_a_premise(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("def f(net, x):\n    opt(net.parameters())\n    net.to('cuda')\n    y = net(x)\n")
    net = entries(explained(path, 4))["net"]
    assert net.kind.startswith("module") and net.place == "on CUDA"
    assert net.premises and "line 2" in net.premises[0]


def test_later_iterations_are_told_if_they_differ(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("import torch\nx = torch.zeros(3)\nfor i in range(3):\n    x = x.cuda()\n    y = x + 1\n")
    found = entries(explained(path, 4))
    assert (found["x"].place, found["x"].after) == ("on the CPU", "on CUDA")
    assert found["x (later iterations)"].place == "on CUDA"
    assert list(entries(explained(path, 5))) == ["x", "y"]


def test_code_of_another_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "models.py").write_text(
        "from torch import nn\n\n\ndef make():\n    return nn.Linear(2, 2).to('cuda')\n"
    )
    path = tmp_path / "train.py"
    path.write_text("from models import make\nimport torch\n\nnet = make()\nout = net(torch.zeros(2))\n")
    net = entries(explained(path, 5))["net"]
    assert net.kind == "module `torch.nn.Linear`" and net.place == "on CUDA"


def test_a_notebook_by_its_cells(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": [text]}
        for text in ("import torch", "x = torch.zeros(3)\ny = x.cuda()")
    ]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    found = explained(path, 2, cell=2)
    assert found.line == "y = x.cuda()"
    assert entries(found)["x"].since == "made on cell 2, line 1"
    with pytest.raises(ExplainError, match="name the cell"):
        explained(path, 2)


@pytest.mark.parametrize(
    ("text", "row", "why"),
    [
        ("x = 1\n", 9, "there is no line 9"),
        ("x = 1\n\n# a comment\n", 3, "line 3: no statement"),
        ("x = (\n", 1, "line 1: cannot be parsed"),
        ("x = '\0'\n", 1, "NUL byte"),
        ("# coding: nonsense\n", 1, "cannot be decoded"),
    ],
)
def test_errors_are_one_line(tmp_path: Path, text: str, row: int, why: str) -> None:
    path = tmp_path / "a.py"
    path.write_text(text)
    with pytest.raises(ExplainError, match=why) as error:
        explained(path, row)
    assert "\n" not in str(error.value)


def test_the_command(script: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return run_text("explain", *arguments, cwd=script.parent)

    row = row_of("net.to(device)")
    shown = run(f"train.py:{row}")
    assert shown.returncode == 0 and shown.stdout.startswith(f"train.py:{row}: net.to(device)\n")
    assert "on the CPU before this line" in shown.stdout
    data = json.loads(run(f"train.py:{row}", "--output-format", "json").stdout)
    assert (data["row"], data["cell"], data["findings"]) == (row, None, [])
    assert {"name", "kind", "place", "after", "since", "premises"} == set(data["views"][0]["values"][0])
    for arguments, why in (
        (["train.py:999"], "there is no line 999"),
        (["none.py:1"], "none.py"),
        (["train.py"], "LINE"),
    ):
        failed = run(*arguments)
        assert failed.returncode == 2 and why in failed.stderr and failed.stdout == ""
