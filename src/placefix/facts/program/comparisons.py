"""Code that runs only where CUDA is not used, by the test around it; comparisons of flags with constants; opposites of tests."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.naming import (
    names_cuda,
    names_gpu_count,
    names_gpu_number,
    names_no_cuda,
    names_other_question,
    names_plain_device,
)
from placefix.facts.program.ast_names import dotted, name_of

if TYPE_CHECKING:
    from collections.abc import Callable

# How a flag is compared with a constant, by whether the answer is yes where the flag is set.
ANSWERS = {
    **dict.fromkeys((("Gt", "0"), ("GtE", "1"), ("NotEq", "0"), ("Eq", "1")), True),
    **dict.fromkeys((("Is", "True"), ("Eq", "True"), ("IsNot", "False"), ("NotEq", "False")), True),
    **dict.fromkeys((("LtE", "0"), ("Lt", "1"), ("Eq", "0"), ("NotEq", "1")), False),
    **dict.fromkeys((("Is", "False"), ("Eq", "False"), ("IsNot", "True"), ("NotEq", "True")), False),
}
MIRRORED = {"Gt": "Lt", "Lt": "Gt", "GtE": "LtE", "LtE": "GtE"}


class Compared(NamedTuple):
    """A flag that is compared with a constant: ``flag > 0``, ``0 != flag``, ``flag is not True``.

    yes: the answer if the flag is set; number: the number that it must equal or differ from, None for a comparison by size
    or with a truth value.
    """

    flag: ast.expr
    yes: bool
    number: int | None = None


def compared(test: ast.expr) -> Compared | None:
    """The comparison of a flag that a test is, or None."""
    if not isinstance(test, ast.Compare) or len(test.ops) > 1:
        return None
    flag, op, word = test.left, test.ops[0].__class__.__name__, test.comparators[0]
    if isinstance(flag, ast.Constant):
        flag, op, word = word, MIRRORED.get(op, op), flag
    yes = ANSWERS.get((op, repr(word.value))) if isinstance(word, ast.Constant) else None
    if yes is None:
        return None
    number = word.value if op in ("Eq", "NotEq") and not isinstance(word.value, bool) else None  # type: ignore[attr-defined]
    return Compared(flag, yes, number)


def spared(test: ast.expr, available: Callable[[str], bool]) -> tuple[bool, bool]:
    """Whether code runs only where CUDA is not used if `test` is true, and if it is false.

    available: whether a name holds whether there is CUDA.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        true, false = spared(test.operand, available)
        return false, true
    if isinstance(test, ast.BoolOp):
        parts = [spared(value, available) for value in test.values]
        if isinstance(test.op, ast.And):
            return any(true for true, _ in parts), all(false for _, false in parts)
        return all(true for true, _ in parts), any(false for _, false in parts)
    if isinstance(test, ast.Compare):
        found = compared(test)
        return _spared_by_comparison(found, available) if found is not None else _spared_by_type(test)
    if isinstance(test, ast.Call):
        return False, dotted(test.func) in ("torch.cuda.is_available", "cuda.is_available") and not test.args
    text, name = dotted(test), name_of(test)
    if name and (name == "is_cuda" or available(text)):
        return False, True
    if not name or names_other_question(name):
        return False, False
    negative = names_no_cuda(name)
    return negative, not negative and names_cuda(name)


_COMPARES_NAMES = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)


class DeviceTest(NamedTuple):
    """A device that is compared with a named one: ``device == "cpu"``, ``"cuda" != device.type``, ``"cuda" in str(x.device)``,
    ``device == torch.device("cpu")``.

    device: the text of the device or of its type; name: the other's name; equal: the answer if the device has that name.
    """

    device: str
    name: str
    equal: bool


def device_test(test: ast.expr) -> DeviceTest | None:
    """The comparison of a name or attribute with a string or a device by its name that a test is, or None."""
    if not isinstance(test, ast.Compare) or len(test.ops) > 1 or not isinstance(test.ops[0], _COMPARES_NAMES):
        return None
    device, other = test.left, test.comparators[0]
    if _device_name(device) is not None:
        device, other = other, device
    elif isinstance(test.ops[0], (ast.In, ast.NotIn)):
        return None
    name = _device_name(other)
    if isinstance(device, ast.Call) and dotted(device.func) == "str" and len(device.args) == 1:
        device = device.args[0]
    if name is None or not dotted(device):
        return None
    return DeviceTest(dotted(device), name, isinstance(test.ops[0], (ast.Eq, ast.In)))


def _device_name(expr: ast.expr) -> str | None:
    """``"cpu"``, also of ``torch.device("cpu")``."""
    if isinstance(expr, ast.Call) and dotted(expr.func) == "torch.device" and len(expr.args) == 1 and not expr.keywords:
        expr = expr.args[0]
    return expr.value if isinstance(expr, ast.Constant) and isinstance(expr.value, str) else None


def _spared_by_type(test: ast.Compare) -> tuple[bool, bool]:
    """`spared` of ``device.type == "cuda"`` and ``str(device) == "cpu"``."""
    found = device_test(test)
    if found is None:
        return False, False
    has_type = found.device.endswith("device.type")
    # another device than "cuda" may be "cuda:1"
    if found.name == "cuda" and has_type:
        return not found.equal, found.equal
    if found.name == "cpu" and (has_type or names_plain_device(found.device.rpartition(".")[2])):
        return found.equal, not found.equal
    return False, False


def _spared_by_comparison(asked: Compared, available: Callable[[str], bool]) -> tuple[bool, bool]:
    """`spared` of the comparison of a flag with a constant."""
    called = dotted(asked.flag.func) if isinstance(asked.flag, ast.Call) else ""
    name = dotted(asked.flag).rpartition(".")[2]
    if called.endswith("cuda.device_count") or names_gpu_count(name):
        off = asked.number != 1  # one of them is not none
    elif names_gpu_number(name):
        off = asked.number is None  # number 0 is a GPU, too
    else:
        true, false = spared(asked.flag, available)
        return (true, false) if asked.yes else (false, true)
    return (False, off) if asked.yes else (off, False)


def opposite(test: str) -> str:
    """The text of the opposite of a test."""
    positive = test.removeprefix("not ")
    if positive.replace(".", "").isidentifier():
        return positive if positive != test else f"not {test}"
    return f"not ({test})"
