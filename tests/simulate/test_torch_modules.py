"""The rows of torch's layers, losses, distributions and optimizers against torch itself, on simulated devices."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from placefix.torch_model.modules import classes
from placefix.torch_model.wrappers import attributes
from simulate.measurements import measure

pytestmark = pytest.mark.proof  # every row, on the simulator

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"

# Torch has no samples of them, or such with keywords only.
NO_SAMPLES = {
    "EmbeddingBag", "TripletMarginLoss", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout", "Hardsigmoid",
    "RReLU", "Upsample", "UpsamplingNearest2d", "UpsamplingBilinear2d", "PixelShuffle", "PixelUnshuffle", "ChannelShuffle", "Fold", "Unfold",
    "Flatten", "Unflatten", "FractionalMaxPool2d", "FractionalMaxPool3d", "Sequential", "TransformerDecoder", "Transformer", "MultiheadAttention",
}  # fmt: skip


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What tests/simulate/layers.py found out."""
    return measure("layers.py", "layers", tmp_path_factory)


LAYERS = [c for c in classes().values() if c.role not in ("optimizer", "distribution")]


def test_samples(measured: dict[str, Any]) -> None:
    missing = {c.name for c in LAYERS if not measured["layers"].get(c.name, {}).get("place")}
    assert missing == NO_SAMPLES


@pytest.mark.parametrize("one", [c for c in LAYERS if c.name not in NO_SAMPLES], ids=lambda c: c.name)
def test_layers(measured: dict[str, Any], one: Any) -> None:
    found = measured["layers"][one.name]
    assert found["place"] == ["cuda"]
    if one.role in ("weighted", "recurrent", "probably"):
        assert found["parameters"] == [True]
        assert found["apart"] == ["refused"]
        assert set(map(tuple, found["inputs"].values())) == {("refused",)}
    if one.role == "plain":
        assert set(found["inputs"]) <= {"0"}
    assert not one.weight or found["weight"] == [True]
    if one.role == "loss":
        assert one.operator is not None
        for number, verdicts in found["inputs"].items():
            operand = one.operator.operand(int(number), None)
            assert operand is not None
            assert ("refused" in verdicts) == (not one.operator.lies_apart(operand))


def test_distributions(measured: dict[str, Any]) -> None:
    for name, found in measured["distributions"].items():
        assert found["place"] == ["cuda", "cuda"], (name, found)
        assert (found["apart"] == "accepted") == classes()[f"distributions.{name}"].moves, name


def test_optimizers(measured: dict[str, Any]) -> None:
    eager = {c.name.removeprefix("optim.") for c in classes().values() if c.eager}
    assert {name for name, has_state in measured["optimizers"].items() if has_state} == eager
    import torch

    known = {n for n, c in vars(torch.optim).items() if isinstance(c, type) and issubclass(c, torch.optim.Optimizer)}
    assert known - set(measured["optimizers"]) == {"Optimizer"}


WRAPPED = """
import json, os, torch, torch.distributed as dist
from torch import nn
os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="0", RANK="0", WORLD_SIZE="1")
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
class Plain(nn.Module):
    pass
def public(x):
    return [name for name in dir(x) if not name.startswith("_")]
layer = nn.Linear(1, 1)
print(json.dumps({
    "Module": public(Plain()),
    "torch.nn.DataParallel": public(nn.DataParallel(layer)),
    "torch.nn.parallel.DistributedDataParallel": public(nn.parallel.DistributedDataParallel(layer)),
}))
"""


def test_attributes_of_wrappers() -> None:
    """A name that torch's objects have and the rows lack would be a false finding of PF113."""
    done = subprocess.run([sys.executable, "-c", WRAPPED], capture_output=True, text=True, timeout=300, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    rows = attributes()
    assert found.keys() == rows.keys()
    assert set(found["Module"]) == rows["Module"]
    for name, measured in found.items():
        assert set(measured) <= rows["Module"] | rows[name]
