"""What `apply` leaves of the corpus's scripts and repositories trains on a device as the original did, to the last bit."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import placefix
from corpus_support import judge
from placefix.simulate.judgement import first_failure
from placefix.simulate.request import Request
from simulate.test_cases import NO_CUDA
from simulate.test_scripts import FLAGS

if TYPE_CHECKING:
    from pathlib import Path

    from placefix.simulate.client import Simulator

pytestmark = pytest.mark.proof  # each script is trained twice

STEPS = 3
FIXED = [intent for intent in judge.read_intents() if intent.diff.exists()]
# Fixes that respell: whatever they change ran on a device before. All others may be repairs of what did not.
_RESPELLS = re.compile(r"PF(102|201|001|4\d\d)")
NO_TRAINING = {
    "library_layers": "a library file, which trains nothing",
    "ddp_torchrun_local_rank": "without its launcher it trains nothing",
    "ddp_chained_placement": "it never got as far: DDP raises in the constructor",
    "ddp_spawn_wrap_first": "it never got as far: DDP raises in the constructor",
}
# Fixes that respell or reorder are repairs here.
REPAIRED = {
    "adagrad_word_vectors": "Adagrad before the placement fails in its first step",
    "dp_guarded_placement": "without --gpu the wrapper goes onto a single GPU by itself, and the targets do not",
    "optimizer_factory": "the Adagrad that its function makes fails as that of adagrad_word_vectors does",
}
# They run on a device, and print numbers there that are wrong.
WRONG_NUMBERS = {"copy_read_too_early": "it reads a copy to the CPU before it has finished"}
# They fail on every machine, by an error of Python with this text.
FAILS_ANYWHERE = {"wrapped_model_layers": "object has no attribute 'features'"}


def trained(simulator: Simulator, request: Request) -> dict[str, Any]:
    """What a run leaves behind after three steps: the parameters of each trained module, and what it printed."""
    report = simulator.run(replace(request, steps=STEPS))
    assert first_failure(report) is None, first_failure(report)
    assert report["steps"] == STEPS
    sums = {name: row["sha"] for name, row in report["sums"].items()}
    assert sums
    return {"sums": sums, "out": report["out"]}


def runs(simulator: Simulator, request: Request) -> bool:
    """Whether the three steps are made."""
    return first_failure(simulator.run(replace(request, steps=STEPS))) is None


def same(simulator: Simulator, before: Request, after: Request) -> bool:
    """Whether both train, and leave the same behind."""
    return trained(simulator, before) == trained(simulator, after)


@pytest.mark.parametrize("intent", FIXED, ids=lambda intent: intent.path.stem)
def test_script(intent: judge.Intent, simulator: Simulator, tmp_path: Path) -> None:
    data = intent.path.read_bytes()
    after, _ = judge.fix(intent.script, data)
    # No Python since 3.7 reads it: what it means is what one of then did.
    data = data.replace(b"async=True", b"non_blocking=True")
    requests = []
    for folder, text in (("before", data), ("after", after)):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / intent.script
        path.write_bytes(text)
        requests.append(Request(str(path), folder=str(path.parent), timeout=600))
    name = intent.path.stem
    if name in NO_TRAINING:
        return
    compared = 0
    for arguments in ([], FLAGS[name]) if name in FLAGS else ([],):
        for devices in (1, 2) if b"Parallel" in data or b"device_count" in data else (1,):
            before, fixed = (replace(request, arguments=arguments, devices=devices) for request in requests)
            if runs(simulator, before):
                assert same(simulator, before, fixed) == (name not in WRONG_NUMBERS), f"with {devices} devices"
                compared += 1
    respelled = all(_RESPELLS.match(word) for word in intent.safe.split())
    assert compared or not respelled or name in REPAIRED, "what is only respelled ran before"
    if intent.cpu == "after":
        error = first_failure(simulator.run(replace(requests[0], devices=0)))
        expected = re.compile(re.escape(FAILS_ANYWHERE[name])) if name in FAILS_ANYWHERE else NO_CUDA
        assert error is not None and expected.search(error["text"])
        trained(simulator, replace(requests[1], devices=0))


@pytest.mark.parametrize("folder", judge.repositories(), ids=lambda folder: folder.name)
def test_repository(folder: Path, simulator: Simulator, tmp_path: Path) -> None:
    entry = next(name for name in ("train.py", "main.py") if (folder / name).exists())
    requests = []
    for name in ("before", "after"):
        copy = shutil.copytree(folder, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        requests.append(Request(str(copy / entry), folder=str(copy), timeout=600))
    assert any(result.written for result in placefix.fix_paths([tmp_path / "after"], isolated=True))
    assert same(simulator, *requests)
    before, after = (replace(request, devices=0) for request in requests)
    cpu = trained(simulator, after)
    error = first_failure(simulator.run(replace(before, steps=STEPS)))
    if "opt.cuda" not in (folder / entry).read_text(encoding="utf-8"):
        assert error is not None and NO_CUDA.search(error["text"])
        return
    assert cpu == trained(simulator, before), "guarded: it runs there"
    before, after = (replace(request, arguments=["--no-cuda"]) for request in requests)
    assert same(simulator, before, after)
