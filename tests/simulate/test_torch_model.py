"""The rows of torch's operators against torch itself, on simulated devices: where results lie, which mixtures of devices are refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from placefix import torch_model
from placefix.torch_model import rows
from simulate.measurements import measure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.torch_model.rows import Operand, Operator

pytestmark = pytest.mark.proof  # every row, on the simulator

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"

# Operators of torch's samples that have no row: they are no names for programs, or are spelled another way.
NO_ROW = ("_", "torch.", "masked.", "signal.", "sparse.", "jiterator_")
# A change of type gives the tensor itself where it has the type already; the samples of these have another one.
TYPES = {"bfloat16", "bool", "byte", "cdouble", "cfloat", "char", "double", "half", "int", "long", "short"}
NO_NAMES = {"broadcast_shapes", "max_pool2d_with_indices_backward", "native_dropout_backward", "slice"}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What tests/simulate/placements.py found out, by operator and spelling."""
    operators: dict[str, Any] = measure("placements.py", "operators", tmp_path_factory)["operators"]
    return operators


def rows_of(measured: dict[str, Any]) -> Iterator[tuple[Operator, str, dict[str, Any]]]:
    """Each row with a spelling (function, method, inplace) and what was measured of it."""
    for name, spellings in measured.items():
        if name.startswith(NO_ROW) or name in NO_NAMES:
            continue
        called = name.removeprefix("nn.functional.")
        operator = rows.row(called) or rows.row(called.removesuffix("_"))
        assert operator is not None, f"{name} has no row"
        for spelling, found in spellings.items():
            if spelling != "skipped" and found["result"]:
                functional = operator.spellings & {"torch", "F", "method"}
                yield (
                    operator,
                    spelling.partition(".")[0] if functional and "in_place" not in spelling else "inplace",
                    found,
                )


def named(operator: Operator, key: str) -> Operand | None:
    """The operand of an argument of a sample."""
    return operator.operand(int(key), None) if key.isdigit() else operator.operand(0, key)


def test_enough_is_measured(measured: dict[str, Any]) -> None:
    found = list(rows_of(measured))
    assert len({operator.name for operator, _, _ in found}) >= 550
    assert len([1 for _, _, one in found if one["cpu"]]) >= 150


def test_results(measured: dict[str, Any]) -> None:
    wrong = []
    for operator, spelling, found in rows_of(measured):
        several = {r for r in found["result"] if r.startswith(("tuple", "list"))}
        claimed = {"several" if r.startswith(("tuple", "list")) else r for r in operator.returns}
        got = {"several" if r in several else r for r in found["result"]}
        if not got <= claimed and spelling != "inplace":
            wrong.append(f"{operator.name} ({spelling}) gives {got}, the row has {set(operator.returns)}")
    assert not wrong, "\n".join(wrong)


def test_places(measured: dict[str, Any]) -> None:
    wrong = []
    for operator, spelling, found in rows_of(measured):
        places = set(found["place"]) - {"number", "bool", "none", "other", "empty"}
        expected = {"cpu" if operator.device in ("cpu", "argument") else "cuda", "cuda asked"}
        if operator.gives_tensor and operator.device not in ("moves", "unknown") and places - expected:
            wrong.append(f"{operator.name} ({spelling}) lies on {places}, the row has {operator.device}")
        if not operator.gives_tensor and places:
            wrong.append(f"{operator.name} ({spelling}) gives tensors")
    assert not wrong, "\n".join(wrong)


def test_mixtures(measured: dict[str, Any]) -> None:
    """One operand on the CPU, the others on the device; and the other way round."""
    wrong = []
    for operator, spelling, found in rows_of(measured):
        for key, verdict in found["cpu"].items():
            operand = named(operator, key)
            if found["wrapped"]:  # called with other arguments than programs give
                continue
            if operand is None:
                wrong.append(f"{operator.name} ({spelling}) has no operand {key}")
                continue
            free = operator.lies_apart(operand)
            if not free and verdict == "accepted":
                wrong.append(f"{operator.name} ({spelling}) takes {operand.name} from the CPU")
            if free and verdict == "refused" and operator.device != "unknown":
                wrong.append(f"{operator.name} ({spelling}) refuses {operand.name} on the CPU")
    assert not wrong, "\n".join(wrong)


def test_scalars(measured: dict[str, Any]) -> None:
    """One operand as a 0-dim tensor of the CPU, the others on the device."""
    wrong = []
    for operator, spelling, found in rows_of(measured):
        for key, verdict in found["scalar"].items():
            operand = named(operator, key)
            if operand is None or operator.lies_apart(operand) or (spelling == "inplace" and key == "0"):
                continue
            if verdict in ("accepted", "refused") and operator.takes_scalar(operand) != (verdict == "accepted"):
                wrong.append(
                    f"{operator.name} ({spelling}): {verdict} a 0-dim {operand.name}, the row has {operator.together}"
                )
    assert not wrong, "\n".join(wrong)


def test_ranks(measured: dict[str, Any]) -> None:
    wrong = []
    for operator, spelling, found in rows_of(measured):
        for first, most, got in found["rank"]:
            if (
                (operator.rank == "keeps" and most > 0 and got == 0)
                or (operator.rank == "input" and (first > 0) != (got > 0))
                or (operator.rank == "adds" and got == 0)
                or (operator.rank.isdigit() and got < int(operator.rank))
            ):
                wrong.append(
                    f"{operator.name} ({spelling}): {first, most} dimensions give {got}, the row has {operator.rank}"
                )
    assert not wrong, "\n".join(wrong)


def test_marks(measured: dict[str, Any]) -> None:
    views: dict[str, bool] = {}
    random: dict[str, bool] = {}
    for operator, spelling, found in rows_of(measured):
        random[operator.name] = random.get(operator.name, False) or found["random"]
        if spelling != "inplace":
            views[operator.name] = views.get(operator.name, False) or True in found["view"]
    for mark, seen in (("view", views), ("random", random)):
        claimed = {name for name in seen if mark in rows.row(name).marks}  # type: ignore[union-attr]
        assert claimed ^ {name for name, value in seen.items() if value} == (TYPES if mark == "view" else set()), mark


def test_layouts() -> None:
    """What keeps the layout gives a contiguous tensor with all values of a contiguous one."""
    import torch

    given: dict[str, tuple[object, ...]] = {
        "reshape": (3, 2),
        "view": (3, 2),
        "unflatten": (0, (1, 2)),
        "unsqueeze": (1,),
        "view_as": (torch.zeros(3, 2),),
    }
    names = {name for name in torch_model.marked("layout") if torch_model.keeps_layout(name)}
    assert len(names) >= 20
    for name in names:
        result = getattr(torch.arange(6.0).view(2, 3), name)(*given.get(name, ()))
        assert result.is_contiguous() and result.numel() == 6, name


def test_names_exist() -> None:
    """Each spelling of each row is one of torch's."""
    import torch

    for name in torch_model.functions():
        found: Any = __import__("torch.onnx.operators") if "onnx" in name else torch
        for part in name.split(".")[1:]:
            found = getattr(found, part)
        assert callable(found), name
    for name in torch_model.methods():
        assert callable(getattr(torch.Tensor, name)), name


def test_rows_are_generated_from_this_torch() -> None:
    done = subprocess.run(
        [sys.executable, str(HERE.parents[1] / "tools" / "torch_model.py"), "--check"], check=False, timeout=900
    )
    assert done.returncode == 0, "run tools/torch_model.py"
