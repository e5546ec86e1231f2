"""The corpus's scripts, as `apply` leaves them: they run clean, with the numbers of the plain CPU."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import placefix
from placefix.config import Options
from placefix.engine import Changed
from placefix.simulate.comparison import compare_with_cpu, is_within_tolerance, printed_numbers
from placefix.simulate.judgement import CLEAN, DEVICE_ERROR, judge
from placefix.simulate.request import Request

if TYPE_CHECKING:
    from placefix.simulate.client import Simulator

pytestmark = pytest.mark.proof  # each script is run on one device, on two and on none

SCRIPTS = sorted((Path(__file__).parents[2] / "corpus" / "scripts").glob("*.py"))

# Still wrong after the fixes, and reported: what they are there to show.
STILL_WRONG = {
    "report_layers_made_in_forward": "layers that are made anew at each call, on the CPU",
    "report_new_head_between": "Adagrad before the placement, which may not move over the new head",
    "report_optimizer_other_method": "Adagrad in one method, the placement in another",
    "report_optimizer_before_fsdp": "the optimizer has the parameters from before the module was sharded",
    "report_items_on_gpu": "batches on the device that the loader pins",
    "report_generator_of_gpu": "a generator of the GPU, for a split that draws on the CPU",
    "report_worker_on_gpu": "items that forked workers move to the device",
    "trap_star_import": "DataParallel of a model that is never placed, in a file of a star import",
    "report_dataparallel_other_gpu": "with two devices the module lies on the second, and DataParallel looks on the first",
    "dp_guarded_placement": "without --gpu the wrapper goes onto a single GPU by itself, and the targets do not",
}
# What they need to use a device at all; without it they are run as well.
FLAGS = {
    "conditional_expression_moves": ["--cuda"],
    "dp_guarded_placement": ["--gpu"],
    "dp_if_guarded_wrap": ["--multi-gpu"],
    "trap_gpu_index_argument": ["--gpu", "0"],
    "trap_guard_does_more": ["--cuda"],
    "word_language_model": ["--cuda"],
}
# On a machine without devices they do something else, by their own decision.
OTHERWISE_ON_THE_CPU = {
    "amp_legacy_namespace": "mixed precision on devices only",
    "trap_correct_modern": "mixed precision on devices only",
    "trap_device_benchmark": "prints times, of as many devices as there are",
    "trap_ddp_scatters_inputs": "trains on devices only",
    "trap_suppressed": "trains on the CPU only",
    "ddp_chained_placement": "trains on devices only",
    "ddp_never_placed": "trains on devices only",
    "report_ddp_on_first_gpu": "trains on devices only",
    "report_loader_without_sampler": "trains on devices only",
    "ddp_spawn_wrap_first": "trains on devices only",
}
STARTS_PROCESSES = ("ddp_chained_placement", "ddp_spawn_wrap_first", "trap_ddp_scatters_inputs")
CLOSE = {"lbfgs_closure_time_series"}


def param(script: Path) -> object:
    """A script as a parameter; the proofs leave out those that start processes and of which other tests run the like."""
    marks = [pytest.mark.battery] if script.stem in STARTS_PROCESSES else []
    return pytest.param(script, id=script.stem, marks=marks)


@pytest.mark.parametrize("script", [param(script) for script in SCRIPTS])
def test_script(script: Path, simulator: Simulator, tmp_path: Path) -> None:
    outcome = placefix.fix_source(script.read_bytes(), name=script.name, options=Options(unsafe_fixes=True))
    source = None
    if isinstance(outcome, Changed):
        source = tmp_path / "fixed.py"
        source.write_text(outcome.text, encoding="utf-8")
    request = Request(str(script), folder=str(tmp_path), source=str(source) if source else None, timeout=600)
    # Two devices show what one does not only to scripts that look for more than one.
    several = any(word in script.read_bytes() for word in (b"Parallel", b"device_count", b"cuda:1"))
    machines = (1, 2) if several else (1,)
    judgement = judge(simulator, request, machines)
    expected = DEVICE_ERROR if script.stem in STILL_WRONG else CLEAN
    assert judgement.verdict == expected, (judgement.reason, judgement.error, judgement.silent)
    if expected == CLEAN and script.stem not in OTHERWISE_ON_THE_CPU:
        found = compare_with_cpu(simulator, request, 1)
        verdict, sentence = found.kind, found.sentence
        assert verdict == "equal" or (verdict == "close" and script.stem in CLOSE), sentence
    if script.stem in FLAGS:
        flagged = replace(request, arguments=FLAGS[script.stem], shared_numbers=True, plain_optimizers=True)
        judgement = judge(simulator, flagged, machines)
        assert judgement.verdict == CLEAN, (judgement.reason, judgement.error, judgement.silent)
        plain = simulator.run(replace(flagged, arguments=[], devices=0))
        for report in judgement.reports.values():
            assert any(place.startswith("cuda") for row in report["table"] for place in row["places"])
            assert is_within_tolerance(printed_numbers(report), printed_numbers(plain))
