"""The model of torch: what its operators do with devices. Data; torch itself is never imported.

One row for each operator, whatever its spellings are: `torch.sin(x)`, `x.sin()`, `x.sin_()` and `torch.sin(x, out=y)` are one row. `rows` has the
columns; `generated.tsv` is written from torch's own description, `reviewed.tsv` corrects and extends it, and tests/simulate/test_torch_model.py
measures both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from placefix.torch_model.rows import operators, row

if TYPE_CHECKING:
    from placefix.torch_model.rows import Operator

FUNCTIONAL = "torch.nn.functional."
_METHODS = "torch.Tensor."


@lru_cache(maxsize=8192)
def function(name: str) -> Operator | None:
    """The operator that a qualified name calls: ``torch.sin``, ``torch.nn.functional.relu_``, ``torch.Tensor.add``; None for others."""
    if not name.startswith("torch."):
        return None
    if name.startswith(FUNCTIONAL):
        return _spelled(name[len(FUNCTIONAL) :], "F")
    if name.startswith(_METHODS):
        return method(name[len(_METHODS) :])
    return _spelled(name[len("torch.") :], "torch")


@lru_cache(maxsize=8192)
def method(name: str) -> Operator | None:
    """The operator that a method of a tensor calls: ``sin``, ``sin_``; None for others, and for attributes."""
    return _spelled(name, "method")


@lru_cache(maxsize=512)
def attribute(name: str) -> Operator | None:
    """The row of an attribute of a tensor that is no method: ``T``, ``grad``, ``shape``; None for others."""
    found = row(name)
    return found if found is not None and "attribute" in found.spellings else None


def _spelled(name: str, spelling: str) -> Operator | None:
    found = row(name)
    if found is not None and spelling in found.spellings:
        return found
    if name.endswith("_") and not name.endswith("__"):
        found = row(name[:-1])
        if found is not None and "inplace" in found.spellings and (spelling == "method" or spelling in found.spellings):
            return found
    return None


def functions() -> dict[str, Operator]:
    """All operators that are called as functions, by their qualified names."""
    found = {}
    for name, operator in operators().items():
        if "torch" in operator.spellings:
            found[f"torch.{name}"] = operator
        if "F" in operator.spellings:
            found[FUNCTIONAL + name] = operator
    return found


def methods() -> dict[str, Operator]:
    """All operators that are called as methods, by the names of the methods."""
    found = {}
    for name, operator in operators().items():
        if "method" in operator.spellings:
            found[name] = operator
        if "inplace" in operator.spellings:
            found[f"{name}_"] = operator
    return found
