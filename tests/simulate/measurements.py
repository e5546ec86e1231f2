"""Measurements of torch by the scripts of this folder; the processes of a test run share each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock

if TYPE_CHECKING:
    import pytest

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"


def measure(script: str, first: str, folders: pytest.TempPathFactory) -> dict[str, Any]:
    """The object that a script of this folder prints as JSON behind its other output, from its key `first` on. It runs once for all processes of pytest-xdist."""
    folder = folders.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    result = folder / f"{script}.json"
    with FileLock(folder / f"{script}.lock"):
        if not result.exists():
            path = os.pathsep.join([str(SOURCE), *filter(None, [os.environ.get("PYTHONPATH")])])
            done = subprocess.run(
                [sys.executable, str(HERE / script)],
                env={**os.environ, "PYTHONPATH": path},
                capture_output=True,
                text=True,
                timeout=900,
                check=True,
            )
            result.write_text(done.stdout[done.stdout.index(f'{{"{first}"') :], encoding="utf-8")
    measured: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    return measured
