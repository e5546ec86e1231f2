"""Where the values of a checkpoint go in a function of a few lines."""

from __future__ import annotations

import ast

import pytest

from placefix.facts.interpret.checkpoint_runs import CheckpointRun
from placefix.rules.registry import context_of
from placefix.settings import Settings
from placefix.source import Source

HEAD = """\
import torch

def strip(state):
    return {k[7:]: v for k, v in state.items()}

def kept(state):
    global last
    last = state

def function(path, net, given):
    loaded = torch.load(path)
"""


def _run(body: str) -> tuple[CheckpointRun, ast.expr]:
    source = Source(HEAD + "".join(f"    {line}\n" for line in body.split("\n")))
    context = context_of(source, ast.parse(source.text), Settings(), None)
    [(load, stmt)] = context.index.called("load")
    return CheckpointRun(stmt.scope, {}, {load}), load


@pytest.mark.parametrize(
    ("body", "copied", "used"),
    [
        ("net.load_state_dict(loaded)", 1, False),
        ("net.load_state_dict(loaded['net'])\nprint(loaded['epoch'])", 1, True),  # the text of a tensor has its device
        ("net.load_state_dict(loaded['net'])\nstart = int(loaded['epoch'])", 1, False),
        ("net.load_state_dict(loaded['net'])\nreturn loaded['epoch']", 1, True),
        ("net.load_state_dict(loaded)\nnet.mean = loaded['mean']", 1, True),
        ("net.load_state_dict(strip(loaded))", 1, False),  # the call is followed
        ("kept(loaded)\nnet.load_state_dict(loaded)", 1, True),
        ("net.load_state_dict(convert(loaded))", 1, True),  # nobody knows what it does
        ("own = net.state_dict()\nown.update(loaded)\nnet.load_state_dict(own)", 1, False),
        ("given.update(loaded)\nnet.load_state_dict(given)", 1, True),  # the caller has them
        ("new = {}\nfor k, v in loaded.items():\n    new[k[7:]] = v\nnet.load_state_dict(new)", 1, False),
        ("new = {}\nfor k, v in loaded.items():\n    new[k] = v + 1\nnet.load_state_dict(new)", 1, True),
        ("net.load_state_dict({k: v for k, v in loaded.items() if v.size() == given[k].size()})", 1, False),
        ("for k in loaded:\n    given.append(k[7:])\nnet.load_state_dict(loaded)", 1, False),  # its keys
        ("state = loaded if given else {}\nnet.load_state_dict(state)", 1, False),
        ("loaded = {}\nnet.load_state_dict(loaded)", 0, False),
        ("scheduler = given\nscheduler.load_state_dict(loaded)", 0, True),  # its state holds no tensors
    ],
)
def test_values_of_checkpoint(body: str, copied: int, used: bool) -> None:
    run, load = _run(body)
    assert (len(run.copied.get(load, ())), load in run.used) == (copied, used)
