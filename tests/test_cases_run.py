"""Cases that are programs print the same on a CPU before and after the fix: a reorder changes no number."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
GOLDEN = sorted(p for code in ("PF101", "PF102", "PF103", "PF201", "PF203") for p in TESTS.glob(f"cases/{code}/*.fixed.py"))
# They import what need not be installed.
ELSEWHERE = {"chained_cuda_with_device_ids", "optimizer_of_another_package", "unknown_class_of_optimizer"}
# They start a process group or read what a launcher sets.
LAUNCHED = {"nccl_without_device_ids"}


def test_programs_print_the_same_before_and_after() -> None:
    python = sys.executable if importlib.util.find_spec("torch") else os.environ.get("PLACEFIX_TORCH_PYTHON")
    if python is None:
        pytest.skip("torch is not installed (nor PLACEFIX_TORCH_PYTHON set): the cases are not run")
    pairs = [(p.with_name(p.name.replace(".fixed.py", ".py")), p) for p in GOLDEN]
    pairs = [(a, b) for a, b in pairs if a.stem not in ELSEWHERE | LAUNCHED]
    jobs = [str(path) for pair in pairs for path in pair]
    runner = TESTS / "run_scripts.py"
    done = subprocess.run([python, str(runner)], input=json.dumps(jobs), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    results = json.loads(done.stdout)
    problems, printed = [], 0
    for before, after in pairs:
        old, new = results[str(before)], results[str(after)]
        if old["status"] != 0 or new["status"] != 0:
            problems.append(f"{before.parent.name}/{before.stem} does not run: {old['error']} | {new['error']}")
        elif old["output"] != new["output"]:
            problems.append(f"{before.parent.name}/{before.stem} prints something else")
        printed += bool(old["output"].strip())
    assert problems == []
    assert printed >= 35
