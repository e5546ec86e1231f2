"""The battery: every case says what it should, and every twin runs clean."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from placefix.simulate.device_errors import CUDA_BUILD
from placefix.simulate.judgement import NOT_MODELLED, judge
from placefix.simulate.request import Request
from simulate.battery import Case, cases

if TYPE_CHECKING:
    from placefix.simulate.client import Simulator

CASES = cases(version("torch") if find_spec("torch") else "2.13.0")


def param(case: Case) -> object:
    """A case that starts processes or imports torch.distributed takes ten times as long as another one: the proofs leave out its twin.

    A case marked `long` is left out whole.
    """
    is_slow = "spawn(" in case.script or "torch.distributed" in case.script
    left_out = case.long or (is_slow and case.name.endswith("__twin"))
    marks = [pytest.mark.battery] if left_out else [pytest.mark.proof] if is_slow else []
    return pytest.param(case, id=case.name, marks=marks)


@pytest.mark.parametrize("case", [param(case) for case in CASES])
def test_case(case: Case, simulator: Simulator, tmp_path: Path) -> None:
    script = tmp_path / f"{case.name}.py"
    script.write_text(case.script, encoding="utf-8")
    request = Request(str(script), folder=str(tmp_path), timeout=600, processes=case.ranks)
    judgement = judge(simulator, request, [case.gpus], locate=False)
    report, error = judgement.reports[case.gpus], judgement.error
    if judgement.verdict == NOT_MODELLED and case.source:
        got = f"not judged: {judgement.reason}"
    elif error is not None:
        got = f"{error['type']}: {error['text']}"
    else:
        found = {"silent": judgement.silent, "ranks": [finding.text for finding in judgement.ranks]}
        got = "; ".join(f"{kind}: {'; '.join(texts)}" for kind, texts in found.items() if texts) or "clean"
    kind, _, text = case.want.partition(": ")
    assert got.startswith(kind) and text in got, f"want {case.want}\ngot  {got}\n{report['err']}"


@cache
def content(path: Path) -> bytes:
    """The text of a file of torch, with single spaces; the bytes of a library."""
    data = path.read_bytes()
    return data if path.suffix == ".so" else b" ".join(data.split())


@pytest.mark.skipif(version("torch").partition("+")[0] != "2.13.0", reason="the sources are those of torch 2.13.0")
@pytest.mark.parametrize("source", sorted({case.source for case in CASES if case.source}))
def test_the_source_has_the_expectation(source: str) -> None:
    """The file of torch that a case names has the text. A source in a CUDA build alone has a reason instead."""
    torch = pytest.importorskip("torch")
    if source.startswith(CUDA_BUILD):
        assert len(source.removeprefix(CUDA_BUILD).split(": ")) >= 2
        return
    name, _, text = source.partition(": ")
    assert text.encode() in content(Path(torch.__file__).parent / name)


def test_few_of_the_api_are_not_judged() -> None:
    wanted = [case.want for case in CASES if case.source and not case.name.endswith("__twin")]
    assert len(wanted) >= 150
    assert sum(want.startswith("not judged") for want in wanted) <= 0.05 * len(wanted)


def test_there_are_enough() -> None:
    wrong = [case for case in CASES if case.want != "clean" and not case.want.startswith("not judged")]
    assert len(wrong) >= 90
    assert len({case.name for case in CASES}) == len(CASES)
    assert {f"{case.name}__twin" for case in wrong} <= {case.name for case in CASES}
