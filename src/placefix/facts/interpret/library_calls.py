"""Calls of objects of other libraries in the abstract interpreter: the rows of `torch_model/libraries.tsv`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.interpret.values import Obj, Place
from placefix.torch_model import libraries

if TYPE_CHECKING:
    from placefix.facts.interpret.expressions import Expressions

# Words in the text of a constructor that may place the results of the object.
_PLACING_WORDS = (".to(", "cuda", "device")


def library_call(machine: Expressions, receiver: Obj, member: str, node: ast.Call) -> Obj | None:
    """The result of a method of an object of a library (`libraries.CALL`: of the object itself); None where nothing is known."""
    row = libraries.member(receiver.name, member)
    if row is None or machine.abroad:
        return None
    if not row.keyword and not _converts(machine, receiver, node):
        return None
    args = machine.arguments(node)
    if row.keyword and not any(k == row.keyword and v.value == row.value for k, _, v in args):
        return None
    made = machine.factory("torch.from_numpy", node, [])
    made.maybe = False
    return made if row.result == "tensor" else Obj("encoding", node, base=made)


def _converts(machine: Expressions, transform: Obj, node: ast.Call) -> bool:
    """Whether a transform makes a tensor of its one argument and leaves it on the CPU."""
    made = transform.origin
    if not isinstance(made, ast.Call) or len(node.args) != 1 or not machine.makes_tensor(made):
        return False
    text = machine.source.code(made)
    return not any(word in text for word in _PLACING_WORDS)


def encoding_method(machine: Expressions, encoding: Obj, method: str, node: ast.Call) -> Obj:
    """A method of a BatchEncoding."""
    row = libraries.member(libraries.BATCH_ENCODING, method)
    if row is not None and row.result == "self":
        device, _ = machine.target_device(method, node)
        encoding.base = Obj("tensor", node, place=Place("device", device)) if device is not None else None
        return encoding
    machine.arguments(node)
    if row is None or row.result != "read":
        encoding.base = None  # it may hold others from here on
    return Obj("unknown", node)
