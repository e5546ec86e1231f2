"""The benchmark of bugs in repositories: its mutants and its table."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))

import injected_draw
from mutators import BUFFER, BUILDER, CONTAINER, DELETED, INPUT, LOAD, structural_mutants

PROGRAM = """\
import torch
from torch import nn
from nets import make_optimizer

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(3))
        self.layers = nn.ModuleList([nn.Linear(3, 3)])

    def forward(self, x):
        return self.layers[0](x) * self.scale

def main(loader, device):
    net = Net()
    net.to(device)
    optimizer = make_optimizer(net)
    net.load_state_dict(torch.load("net.pt", map_location=device))
    for x, y in loader:
        x = x.to(device)
        net(x)
"""


def test_structural_mutants() -> None:
    found = {mutant.kind: mutant.text.splitlines() for mutant in structural_mutants(PROGRAM)}
    assert set(found) == {BUFFER, CONTAINER, LOAD, BUILDER}
    assert found[BUFFER][7] == "        self.scale = torch.ones(3)"
    assert found[CONTAINER][8] == "        self.layers = [nn.Linear(3, 3)]"
    assert found[LOAD][17] == '    net.load_state_dict(torch.load("net.pt"))'
    assert found[BUILDER][15:18] == ["    pass", "    optimizer = make_optimizer(net)", "    net.to(device)"]


def test_distance() -> None:
    repository = injected_draw.Repository({"train.py": PROGRAM, "nets.py": ""})
    moved = {m.line: repository.distance("train.py", m) for _, m in injected_draw.numbered(PROGRAM) if m.kind == INPUT}
    assert moved == {20: injected_draw.FILE}  # the caller of main, which has the loader, is not in the file


def test_table() -> None:
    rows = injected_draw.read_table()
    assert len({row.key for row in rows}) == len(rows)
    for row in rows:
        assert row.distance in injected_draw.DISTANCES
        assert (row.oracle == injected_draw.READER) == bool(row.verdict) == bool(row.why), row
        assert row.verdict in ("", "needed", "not needed", "unknown")
        assert (row.oracle == injected_draw.ALWAYS) == (row.kind not in DELETED)
    counted = [row for row in rows if row.counts]
    assert len(counted) >= 500
    assert len({row.distribution for row in counted}) >= 60
