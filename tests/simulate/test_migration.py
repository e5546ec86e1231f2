"""What `placefix migrate ddp` leaves trains as the original: some of the scripts that `benchmarks/migration.py` runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import migration

if TYPE_CHECKING:
    from placefix.simulate.client import Simulator

# Each script runs in four processes.
NAMES = [
    pytest.param("guarded_functions", marks=pytest.mark.proof),
    pytest.param("argparse_flags", marks=pytest.mark.battery),
    pytest.param("checkpoint_resume", marks=pytest.mark.battery),
]


@pytest.mark.parametrize("name", NAMES)
def test_script(name: str, simulator: Simulator, tmp_path: Path) -> None:
    found = migration.compare(simulator, migration.SCRIPTS / f"{name}.py", tmp_path)
    assert not found.error
    assert found.difference is not None
    assert found.difference <= migration.TOLERANCE
    assert found.same_output
    assert found.alone


@pytest.mark.battery
def test_synchronised_batch_normalisation(simulator: Simulator, tmp_path: Path) -> None:
    """It trains as one GPU with the whole batch."""
    found = migration.compare(simulator, migration.NORMALISED, tmp_path, synchronised=True)
    assert not found.error
    assert found.difference is not None
    assert found.difference <= migration.TOLERANCE
