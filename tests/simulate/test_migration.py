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

pytestmark = pytest.mark.proof  # each script runs in four processes


@pytest.mark.parametrize("name", ["guarded_functions", "argparse_flags", "checkpoint_resume"])
def test_script(name: str, simulator: Simulator, tmp_path: Path) -> None:
    found = migration.compare(simulator, migration.SCRIPTS / f"{name}.py", tmp_path)
    assert not found.error
    assert found.difference is not None
    assert found.difference <= migration.TOLERANCE
    assert found.same_output
    assert found.alone
