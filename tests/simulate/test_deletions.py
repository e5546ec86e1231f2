"""A move deleted from a correct script is a device error, but where it is harmless for a known reason."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import placefix
from placefix.config import Options
from placefix.engine import Changed
from placefix.simulate.judgement import CLEAN, DEVICE_ERROR, judge
from placefix.simulate.request import Request

if TYPE_CHECKING:
    from placefix.simulate.client import Simulator

pytestmark = pytest.mark.proof  # a run for each deleted move

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

from mutation import Text, is_move  # noqa: E402

# By the line that the move stands on.
HARMLESS = {
    ("classic_main_function", 30): "a loss without weights",
    ("guard_direct_is_available", 23): "a loss without weights",
    ("trap_second_placement", 24): "placed before",
    ("trap_second_placement", 36): "placed before",
}
SCATTERED = {("dp_wrap_then_place", "x.to(device)")}  # DataParallel takes it from anywhere
SCRIPTS = (
    "classic_main_function", "dp_wrap_then_place", "guard_direct_is_available", "loop_dict_batch",
    "loop_pair_not_moved", "fit_sine_derived_tensors", "discarded_tensor_moves", "trap_second_placement",
)  # fmt: skip


@pytest.mark.parametrize("name", SCRIPTS)
def test_deleted_moves(name: str, simulator: Simulator, tmp_path: Path) -> None:
    path = ROOT / "corpus" / "scripts" / f"{name}.py"
    text = path.read_text(encoding="utf-8-sig")
    outcome = placefix.fix_source(text, name=path.name, options=Options(unsafe_fixes=True))
    text = outcome.text if isinstance(outcome, Changed) else text
    source = Text(text)
    moves = [node for node in ast.walk(ast.parse(text)) if is_move(node)]
    assert moves
    for node in moves:
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Attribute)
        mutant = tmp_path / "mutant.py"
        mutant.write_text(source.replaced((node, source.cut(node.func.value))), encoding="utf-8")
        request = Request(str(path), folder=str(tmp_path), source=str(mutant), timeout=600, trace=True)
        found = judge(simulator, request, (2,) if "Parallel" in text else (1,))
        move = source.cut(node)
        harmless = (name, node.lineno) in HARMLESS or (name, move) in SCATTERED
        expected = CLEAN if harmless else DEVICE_ERROR
        assert found.verdict == expected, (move, node.lineno, found.error)
