"""The model of torch: the effects of its operators on devices. Data; torch itself is never imported.

One row for each operator, with all its spellings: `torch.sin(x)`, `x.sin()`, `x.sin_()` and `torch.sin(x, out=y)` are one row. `rows` has the
columns; `generated.tsv` is written from torch's own description, `reviewed.tsv` corrects and extends it, and tests/simulate/test_torch_model.py
measures both.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from placefix.torch_model.rows import names_marked, operators, row

if TYPE_CHECKING:
    from placefix.torch_model.rows import Operator

FUNCTIONAL = "torch.nn.functional."
_METHODS = "torch.Tensor."


@lru_cache(maxsize=8192)
def function(name: str | None) -> Operator | None:
    """The operator that a qualified name calls: ``torch.sin``, ``torch.nn.functional.relu_``, ``torch.Tensor.add``; None for others."""
    if name is None or not name.startswith("torch."):
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


# --- questions about functions, by their qualified names; None and "" are no function ------------------------------------


def is_factory(name: str | None) -> bool:
    """Whether it makes a tensor of numbers or sizes: ``torch.zeros``, ``torch.FloatTensor``."""
    operator = function(name)
    return operator is not None and operator.makes


def fills(name: str | None) -> bool:
    """Whether it is a factory that takes a device and is given no values: ``torch.zeros``, but not ``torch.tensor``."""
    operator = function(name)
    return operator is not None and operator.makes and operator.device == "argument" and operator.name != "tensor"


def takes_device(name: str | None) -> bool:
    """Whether it is a factory with a device argument."""
    operator = function(name)
    return operator is not None and operator.makes and "argument" in operator.device


def wraps_array(name: str | None) -> bool:
    """Whether it gives an array of the host as a tensor: ``torch.from_numpy``."""
    operator = function(name)
    return operator is not None and operator.makes and operator.device == "cpu"


def leaves_tensors(name: str | None) -> bool:
    """Whether it is a factory that returns a tensor that it is given, where that lies: ``torch.as_tensor``."""
    operator = function(name)
    return operator is not None and operator.makes and "view" in operator.marks


def is_random(name: str | None) -> bool:
    """Whether it draws random numbers: on another device it draws others."""
    operator = function(name)
    return operator is not None and "random" in operator.marks


def is_same_anywhere(name: str | None) -> bool:
    """Whether it takes a device, and gives the same values on any (`torch.arange` without a step)."""
    operator = function(name)
    return operator is not None and "exact" in operator.marks


def is_function(name: str | None) -> bool:
    """Whether it computes with tensors: ``torch.sin``, ``torch.equal``, ``torch.nn.functional.relu``."""
    operator = function(name)
    if operator is None:
        return name is not None and name.startswith(FUNCTIONAL)
    return not operator.makes and bool(operator.operands)


def computes_tensor(name: str | None) -> bool:
    """Whether it computes a tensor, or several, of tensors."""
    operator = function(name)
    return is_function(name) and (operator is None or operator.gives_tensor)


def gives_tensor(name: str | None) -> bool:
    """Whether it makes or computes a tensor, or several."""
    return is_factory(name) or computes_tensor(name)


def reads_values(name: str | None) -> bool:
    """Whether it gives numbers, or an answer, that depend on the values of its tensors: ``torch.equal``, ``torch.Tensor.item``."""
    operator = function(name)
    return operator is not None and "values" in operator.marks


def is_loss(name: str | None) -> bool:
    """Whether it compares an output with a target: ``torch.nn.functional.cross_entropy``."""
    operator = function(name)
    return operator is not None and "loss" in operator.marks


def meets(name: str | None, position: int) -> bool:
    """Whether an argument at a position must be on the device of the other operands of a function, if it is a tensor."""
    operator = function(name)
    if operator is None:
        return True
    operand = operator.operand(position, None)
    return operand is not None and not operator.lies_apart(operand)


# --- questions about methods and attributes of tensors --------------------------------------------------------------------


@cache
def is_answer(name: str) -> bool:
    """Whether it gives no tensor, but something about the one that it is read of: ``shape``, ``size``, ``item``, ``device``."""
    operator = method(name) or attribute(name)
    if operator is None:
        return name in ("__len__", "__class__")
    alone = len(operator.operands) < 2 and not operator.gives_tensor
    return alone and operator.device != "unknown" and "host" not in operator.marks


@cache
def gives_place(name: str) -> bool:
    """Whether it gives the device of the tensor, or a part of it: ``device``, ``is_cuda``, ``get_device``."""
    operator = method(name) or attribute(name)
    return operator is not None and "place" in operator.marks


@cache
def depends_on_place(name: str) -> bool:
    """Whether it needs the tensor on the CPU, reads its values or gives its device: ``numpy``, ``item``, ``device``."""
    operator = method(name) or attribute(name)
    return operator is not None and bool(operator.marks & {"host", "place", "values"})


@cache
def moves(name: str) -> bool:
    """Whether its result is on the device that its argument gives: ``to``, ``cuda``, ``type_as``."""
    operator = method(name)
    return operator is not None and operator.device in ("moves", "other")


@cache
def stays(name: str) -> bool:
    """Whether its result is on the device of the tensor: ``sin``, ``view``, ``T``; moves are none."""
    operator = method(name) or attribute(name)
    return operator is not None and operator.follows and operator.gives_tensor


def is_tensor_method(name: str) -> bool:
    """Whether an item of a batch that has a method of this name is a tensor."""
    operator = method(name)
    return operator is not None and "tensor" in operator.marks


def shows_tensor(name: str) -> bool:
    """Whether an object with this attribute is a tensor, not a module, if it can be moved."""
    operator = method(name) or attribute(name)
    return operator is not None and bool(operator.marks & {"tensor", "likely"})


def may_share_memory(name: str) -> bool:
    """Whether the memory of its result may be the tensor's: ``view``, ``float``."""
    operator = method(name) or attribute(name)
    return operator is not None and ("view" in operator.marks or name.endswith("_"))


def is_view(name: str) -> bool:
    """Whether it gives a tensor with the memory, or a part of the memory, of the tensor: ``view``, ``detach``; not in place."""
    operator = method(name)
    return operator is not None and "view" in operator.marks and operator.follows and not name.endswith("_")


def is_view_of_tensor(name: str) -> bool:
    """The same, for names that modules do not have."""
    operator = method(name)
    return is_view(name) and operator is not None and "only" in operator.marks


def keeps_layout(name: str) -> bool:
    """Whether it gives, of a contiguous tensor, a contiguous one with all of its values: ``float``, ``unsqueeze``; not in place."""
    operator = method(name)
    return operator is not None and "layout" in operator.marks and not name.endswith("_")


def combines(name: str) -> bool:
    """Whether it computes with the values of two tensors or more, which must be on one device: ``add``, ``lerp_``."""
    operator = method(name)
    return operator is not None and operator.follows and bool(operator.together) and operator.rank == "keeps"


def combines_in_place(name: str) -> bool:
    """Whether it writes the result of an operation with another tensor into a tensor: ``mul_``, ``copy_``."""
    operator = method(name)
    return name.endswith("_") and operator is not None and len(operator.operands) > 1


def keeps_size(name: str) -> bool:
    """Whether it gives a tensor of as many values in the same place: ``add``, ``detach``, ``view``."""
    operator = method(name)
    return (
        stays(name)
        and operator is not None
        and operator.rank in ("keeps", "input", "sizes")
        and not operator.gives_several
    )


@lru_cache(maxsize=8)
def marked(*marks: str) -> frozenset[str]:
    """The names of all methods and attributes whose rows have one of some marks."""
    return names_marked(frozenset(marks))


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
