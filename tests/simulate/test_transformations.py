"""The rewrites of benchmarks/transformations.py keep the meaning of a script: it prints the same."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from placefix.simulate.judgement import first_failure
from placefix.simulate.request import Request

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

from transformations import MAIN, TRANSFORMATIONS, NotApplicable  # noqa: E402

if TYPE_CHECKING:
    from placefix.simulate.client import Simulator
    from transformations import Files, Transformation

SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(4, width)

    def forward(self, x):
        return torch.exp(self.fc(x))


torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
width = 3
loader = DataLoader(TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,))), batch_size=6)
model = Net(width).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
total = 0.0
for x, y in loader:
    x = x.to(device)
    y = y.to(device)
    loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss.item()
    print(round(loss.item(), 5))
print(round(total, 5))
"""
# A function that reads names of the module level, for the transformation that makes them its parameters.
FUNCTION = SCRIPT.replace(
    "total = 0.0\n", "\n\ndef error(x, y):\n    return criterion(model(x), y)\n\n\ntotal = 0.0\n"
).replace("loss = criterion(model(x), y)", "loss = error(x, y)")


def _printed(simulator: Simulator, files: Files, folder: Path, imports: str = "") -> str:
    folder.mkdir()
    if "main.ipynb" in files:
        cells = json.loads(files["main.ipynb"])["cells"]
        files = {MAIN: "\n\n".join("".join(cell["source"]) for cell in cells)}
    for name, text in files.items():
        (folder / name).write_text(imports + text if name == MAIN else text, encoding="utf-8")
    report = simulator.run(Request(str(folder / MAIN), folder=str(folder), devices=1))
    assert first_failure(report) is None, (first_failure(report), files)
    return str(report["out"])


@pytest.mark.proof  # each runs several times
@pytest.mark.parametrize("step", TRANSFORMATIONS, ids=lambda step: step.name)
def test_it_prints_the_same(step: Transformation, simulator: Simulator, tmp_path: Path) -> None:
    imports = "".join(line + "\n" for line in SCRIPT.splitlines() if line.startswith(("import", "from")))
    applied = 0
    for number, script in enumerate((SCRIPT, FUNCTION)):
        try:
            files = step.rewrite({MAIN: script}, random.Random(1))
        except NotApplicable:
            continue
        applied += 1
        assert files != {MAIN: script}
        before = _printed(simulator, {MAIN: script}, tmp_path / f"before{number}")
        after = _printed(simulator, files, tmp_path / f"after{number}", imports if step.hides else "")
        assert len(before.splitlines()) == 5
        assert after == before
    assert applied
