"""PyTorch's own samples of its operators: values as on the CPU, and mixed devices refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simulate.measurements import measure

pytestmark = pytest.mark.proof  # a thousand samples of torch's operators

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"

# Right, and not to be run: what CUDA builds refuse as well.
REFUSED_ON_A_DEVICE_TOO = {
    "tensor_split": "the sections, if a tensor, must be on the CPU; the test moves them",
    "histogram": "has no CUDA kernel",
    "histogramdd": "has no CUDA kernel",
}
# Known not to work.
MISSING = {
    "sparse.sampled_addmm": "compressed sparse rows",
    "sparse.mm.reduce": "compressed sparse rows",
}
# Of several tensors, and right to accept them on several devices.
MAY_MIX = {
    "broadcast_tensors": "reads the shapes of the others",
    "expand_as": "reads the shape of the other",
    "reshape_as": "reads the shape of the other",
    "view_as": "reads the shape of the other",
    "resize_as_": "reads the shape of the other",
    "diagonal_scatter": "a clone and a copy into a view of it",
    "select_scatter": "a clone and a copy into a view of it",
    "slice_scatter": "a clone and a copy into a view of it",
    "as_strided_scatter": "a clone and a copy into a view of it",
    "nn.functional.ctc_loss": "moves its targets to the device of the probabilities",
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return measure("operators.py", "ran", tmp_path_factory)


def test_values(found: dict[str, Any]) -> None:
    ran = {name: said for name, said in found["ran"].items() if not said.startswith("skip")}
    bad = {name: said for name, said in ran.items() if said != "ok"}
    assert set(bad) <= set(REFUSED_ON_A_DEVICE_TOO) | set(MISSING), bad
    assert len(ran) > 650
    judged = len(ran) - len(REFUSED_ON_A_DEVICE_TOO)
    assert sum(said == "ok" for said in ran.values()) / judged >= 0.99


def test_mixed_devices(found: dict[str, Any]) -> None:
    accepted = {name for name, said in found["mixed"].items() if said == "accepted"}
    assert accepted <= set(MAY_MIX)
    assert len(found["mixed"]) > 200
