"""Functions and objects of other libraries in the abstract interpreter: the rows of `torch_model/libraries.tsv`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts.interpret.values import HOST, UNKNOWN_PLACE, Obj, Place
from placefix.torch_model import libraries

if TYPE_CHECKING:
    from placefix.facts.interpret.expressions import Expressions
    from placefix.facts.interpret.interpreter_base import Arguments

# Words in the text of a constructor that may place the results of the object.
_PLACING_WORDS = (".to(", "cuda", "device", "ToDevice")
_RETURNS = "return_tensors"


def library_call(machine: Expressions, receiver: Obj, member: str, node: ast.Call) -> Obj | None:
    """The result of a method of an object of a library (`libraries.CALL`: of the object itself); None where nothing is known."""
    row = libraries.member(receiver.name, member)
    if row is None or machine.abroad:
        return None
    if row.result == "input" and member != libraries.CALL:
        return _image(machine, node, machine.arguments(node))
    if row.result == "input" or row.of_part:
        passed = _passed_on(machine, receiver, node)
        if passed is not None:
            return passed
    if row.result == "input" or (not row.keyword and not _converts(machine, receiver, node)):
        return None
    args = machine.arguments(node)
    if row.keyword and not any(k == row.keyword and v.value == row.value for k, _, v in args):
        return None
    made = new_tensor(machine, node)
    return made if row.result == "tensor" else new_holder(node, made)


def made_tensors(machine: Expressions, node: ast.Call, name: str, args: Arguments) -> Obj | None:
    """The result of a call with ``return_tensors="pt"`` of an object that is not seen: tokenizers and processors of any class take that,
    and make tensors of the CPU. None for other calls."""
    asked = any(keyword == _RETURNS and value.value == "pt" for keyword, _, value in args)
    if not asked or machine.abroad or any(keyword == "device" for keyword, _, _ in args):
        return None
    made = new_tensor(machine, node)
    made.premises = (premises.RETURNS_CPU_TENSORS(function=machine.source.code(node.func)),)
    is_tensor = libraries.result_with(_RETURNS, name.rpartition(".")[2]) == "tensor"
    return made if is_tensor else new_holder(node, made)


def _image(machine: Expressions, node: ast.Call, args: Arguments) -> Obj | None:
    """The tensor that a function or a method makes of its first argument, on its device; None if that is not known to be a tensor."""
    given = args[0] if args and args[0][0] is None else None
    if given is None or not given[2].is_tensor_like:
        return None
    machine.use(given[2], "neutral", given[1])
    return machine.tensor_like(given[2], node)


def _graphs(machine: Expressions, name: str, node: ast.Call, args: Arguments) -> Obj:
    """A data set of graphs, which are on the CPU unless its arguments may place them."""
    placing = any(word in machine.source.code(node) for word in _PLACING_WORDS)
    plain = all(keyword != "transform" or expr.__class__ is ast.Call for keyword, expr, _ in args) and not placing
    return Obj("dataset", node, name=name, premises=() if plain else (premises.LOADER_YIELDS_CPU,))


def library_function(machine: Expressions, name: str, node: ast.Call, args: Arguments) -> Obj | None:
    """The result of a function of a library; None where nothing is known."""
    row = libraries.member(name, libraries.RESULT)
    if row is None:
        return None
    if row.result == "graph":
        return _graph(machine, node, args)
    if row.result == "input":
        return _image(machine, node, args)
    if row.result == "graphset":
        return _graphs(machine, name, node, args)
    if not row.result.startswith("tensor") or machine.abroad or any(k in ("device", "**") for k, _, _ in args):
        return None
    made = new_tensor(machine, node)
    return made if row.result == "tensor" else Obj("tuple", node, items=(made, Obj("const", node)))


def _graph(machine: Expressions, node: ast.Call, args: Arguments) -> Obj:
    """A graph with the tensors among the arguments; nothing is known of one that is not made of tensors of the CPU alone."""
    held = [value for _, _, value in args if value.is_tensor_like]
    for _, expr, value in args:
        machine.use(value, "opaque", expr)
    known = bool(held) and all(value.place is not None and value.place.is_host for value in held)
    base = new_tensor(machine, node) if known and len(held) == len(args) and not machine.abroad else None
    return new_holder(node, base, libraries.GRAPH)


def new_holder(node: ast.expr, held: Obj | None, name: str = libraries.BATCH_ENCODING) -> Obj:
    """An object of a class `name` that holds tensors like `held`, and moves them in place; None: nothing is known of them."""
    made = Obj("encoding", node, name=name, base=held)
    if held is not None:
        held.whole = made
    return made


def library_attribute(machine: Expressions, owner: Obj, node: ast.Attribute) -> Obj | None:
    """The tensor that an object of a library has as an attribute: ``MNIST(…).data``; None where nothing is known."""
    row = libraries.member(owner.name, node.attr)
    return new_tensor(machine, node) if row is not None and row.result == "tensor" and not machine.abroad else None


def new_tensor(machine: Expressions, node: ast.expr) -> Obj:
    """A new tensor on the CPU, with a dimension, as of an array."""
    made = Obj("tensor", node, place=UNKNOWN_PLACE if machine.ambient_device() else HOST, name="torch.from_numpy")
    made.roots = frozenset((made,))
    machine.makes_on_host = True
    machine.event("factory", node, made, place=made.place, what=made.name)
    return made


def _converts(machine: Expressions, transform: Obj, node: ast.Call) -> bool:
    """Whether a transform makes a tensor of its one argument and leaves it on the CPU."""
    made = transform.origin
    if not isinstance(made, ast.Call) or len(node.args) != 1 or not machine.makes_tensor(made):
        return False
    text = machine.source.code(made)
    return not any(word in text for word in _PLACING_WORDS)


def _passed_on(machine: Expressions, transform: Obj, node: ast.Call) -> Obj | None:
    """The image of a tensor that a transform, or each of a literal list of them, leaves on its device; None for others."""
    made = transform.origin
    if not isinstance(made, ast.Call) or len(node.args) != 1 or node.keywords:
        return None
    row = libraries.member(transform.name, libraries.CALL)
    steps = made.args[0] if row is not None and row.of_part and len(made.args) == 1 else None
    parts = steps.elts if isinstance(steps, (ast.List, ast.Tuple)) else [made] if steps is None else []
    names = [machine.tree.qualname(p.func, machine.scopes_active[-1]) for p in parts if isinstance(p, ast.Call)]
    rows = [libraries.member(name, libraries.CALL) for name in names if name is not None]
    if not parts or len(rows) < len(parts) or any(row is None or row.result != "input" for row in rows):
        return None
    given = machine.eval(node.args[0])
    if not given.is_tensor_like:
        return None
    machine.use(given, "neutral", node.args[0])
    return machine.tensor_like(given, node)


def encoding_method(machine: Expressions, encoding: Obj, method: str, node: ast.Call) -> Obj:
    """A method of an object that holds tensors: a BatchEncoding, a graph."""
    row = libraries.member(encoding.name, method)
    if row is not None and row.result == "self":
        device, _ = machine.target_device(method, node)
        encoding.base = Obj("tensor", node, place=Place("device", device)) if device is not None else None
        return encoding
    machine.arguments(node)
    if row is None or row.result != "read":
        encoding.base = None  # it may hold others from here on
    return Obj("unknown", node)
