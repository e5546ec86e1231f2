"""The cases about tensors are programs: on a CPU they print the same before and after their fix."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CASES = Path(__file__).parent / "cases"
PAIRS = [
    (golden.with_name(golden.name.replace(".fixed.py", ".py")), golden)
    for code in ("PF301", "PF302", "PF303")
    for golden in sorted((CASES / code).glob("*.fixed.py"))
]
# What a plain environment with torch does not have: those cases are analysed only.
MISSING = re.compile(r"ModuleNotFoundError: No module named '(torchvision|PIL|matplotlib|sklearn|tqdm|numpy)\b")


def _torch_python() -> str | None:
    if importlib.util.find_spec("torch"):
        return sys.executable
    return os.environ.get("PLACEFIX_TORCH_PYTHON")


def test_cases_print_the_same_on_a_cpu(tmp_path: Path) -> None:
    python = _torch_python()
    if python is None:
        pytest.skip("torch is not installed (nor PLACEFIX_TORCH_PYTHON set): the cases are not run")
    assert len(PAIRS) >= 30
    jobs = [str(path) for pair in PAIRS for path in pair]
    runner = Path(__file__).with_name("run_scripts.py")
    done = subprocess.run(
        [python, str(runner)], input=json.dumps(jobs), capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    results = json.loads(done.stdout)
    problems, ran = [], 0
    for before, after in PAIRS:
        old, new = results[str(before)], results[str(after)]
        name = f"{before.parent.name}/{before.stem}"
        if MISSING.search(old["error"]) and MISSING.search(new["error"]):
            continue
        ran += 1
        if old["status"] or new["status"]:
            problems.append(f"{name}: {old['error']} | {new['error']}")
        elif old["output"] != new["output"]:
            problems.append(f"{name}: prints something else once fixed")
    assert problems == []
    assert ran >= 25
