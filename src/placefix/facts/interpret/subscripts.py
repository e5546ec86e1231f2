"""Subscripts in the abstract interpreter: one transfer function for each kind of value.

`SUBSCRIPTS` has the function of a kind. It returns None where nothing is known of the item.
"""

from __future__ import annotations

import ast
from functools import reduce
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.interpret.choices import callable_of, choice, entry, member, namesake, picked
from placefix.facts.interpret.moved_values import tensor_moved
from placefix.facts.interpret.state import merge
from placefix.facts.interpret.values import Obj, made_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.facts.interpret.interpreter_base import Machine
    from placefix.facts.interpret.values import ObjKind, Place


def subscript(machine: Machine, value: Obj, index: Obj, node: ast.Subscript) -> Obj:
    """The value of ``value[index]``."""
    transfer = SUBSCRIPTS.get(value.kind)
    found = transfer(machine, value, index, node) if transfer is not None else None
    if found is not None:
        return found
    if index.is_tensor_like:
        machine.use(index, "container index", node.slice)
    if value.is_unknown and isinstance(node.slice, ast.Slice):
        tensor = tensor_moved(machine, value, node.value)  # a dict has no slices
        if tensor is not value:
            return _of_tensor(machine, tensor, index, node)
    if value.is_module:
        return _numbered(value.root(), node) or Obj("part", node, base=value.root(), attr="[]")
    source = value if value.is_unknown else None
    is_literal = isinstance(node.slice, ast.Constant)
    return Obj(
        "unknown",
        node,
        members=made_of(value),
        whole=source if is_literal else None,
        holder=None if is_literal else source,
    )


def _numbered(value: Obj, node: ast.Subscript) -> Obj | None:
    """An item by its number, where the items are known."""
    number = node.slice.value if isinstance(node.slice, ast.Constant) else None
    if value.items is not None and isinstance(number, int) and -len(value.items) <= number < len(value.items):
        return value.items[number]
    return None


def _of_sequence(machine: Machine, value: Obj, index: Obj, node: ast.Subscript) -> Obj | None:
    """An item by its number; of a list whose items are all alike any of them."""
    found = _numbered(value, node)
    if found is None and value.kind == "list" and value.base is not None and not value.base.is_module:
        return machine.any_item(value, value.base)
    return found


def _of_element(machine: Machine, value: Obj, index: Obj, node: ast.Subscript) -> Obj:
    """A part of a batch, unless the batch is known to be a tensor."""
    if isinstance(node.slice, ast.Constant) and value.value != "tensor":
        return machine.item_of(value, node.slice.value, node)
    return _of_tensor(machine, value, index, node)


def _of_tensor(machine: Machine, value: Obj, index: Obj, node: ast.Subscript) -> Obj:
    """A tensor on the device of the whole one."""
    key = node.slice
    if index.is_tensor_like:
        machine.use(index, "index", key)
    elsewhere = conflicting_index(machine, value, index, node, written=isinstance(node.ctx, ast.Store))
    left = max(value.dims - _dimensions_taken(key), 0)
    item = machine.tensor_like(value, node, scalar=not left and _may_be_number(key, index))
    if value in machine.outputs and isinstance(key, ast.Constant):
        machine.returned.add(item)
    if elsewhere is not None:
        item.place = elsewhere  # one of the two has to be moved
    item.dims = left if isinstance(key, (ast.Slice, ast.Constant)) else min(left, 1)  # a mask takes several at once
    return item


def _of_dict(machine: Machine, value: Obj, index: Obj, node: ast.Subscript) -> Obj | None:
    return item_of_dict(machine, value, node.slice, node, node.value)


def item_of_dict(machine: Machine, value: Obj, key: ast.expr, node: ast.expr, container: ast.expr) -> Obj | None:
    """The value of a literal key; else one that may be any of the values, where they are of one kind. container: the dict's expression."""
    if isinstance(key, ast.Constant):
        found = machine.state.fields.get((value, f"[{key.value!r}]"))
        if found is not None:
            return found
    if value.base is not None:
        return machine.any_item(value, value.base)
    items = value.items or ()
    if not items:
        return entry(machine, value, node, container)
    if all(i.kind == "loader" for i in items):
        return reduce(merge, items)
    if all(i.is_import and api.is_optimizer(i.name) for i in items):
        return reduce(merge, items)  # {"sgd": SGD, "adam": Adam}[args.optimizer]
    callables = [found for item in items if (found := callable_of(machine, item)) is not None]
    if len(callables) == len(items):  # {"small": Small, "large": Large}[args.net]
        return choice(machine, callables, node, container)
    if all(i.is_element and i.value == "tensor" for i in items):
        return machine.tensor_like(reduce(merge, items), node)  # batch[key] in a loop over keys
    return None


def _of_dataset(machine: Machine, value: Obj, index: Obj, node: ast.Subscript) -> Obj | None:
    """One item of a data set, or of a part of it."""
    whole = value.base if value.kind == "views" else value
    return machine.item_of_dataset(whole, node) if whole is not None and not isinstance(node.slice, ast.Slice) else None


def _of_instance(machine: Machine, value: Obj, index: Obj, node: ast.Subscript) -> Obj | None:
    """The result of ``__getitem__`` of a class of the repository."""
    method = value.cls.methods.get("__getitem__") if value.cls is not None else None
    found = machine.accessed(method, value, node, index) if method is not None else None
    return found or entry(machine, value, node, node.value)


def _of_encoding(machine: Machine, value: Obj, index: Obj, node: ast.Subscript) -> Obj | None:
    return value.base


def _of_import(machine: Machine, value: Obj, index: Obj, node: ast.Subscript) -> Obj | None:
    """``torchvision.models.__dict__[args.arch]``, an entry of a registry of another file."""
    if not value.name.endswith(".__dict__"):
        return entry(machine, value, node, node.value)
    package = Obj("import", name=value.name.removesuffix(".__dict__"), scope=value.scope)
    if value.name.startswith("torch"):
        return machine.imported(f"{package.name}.{picked(index)}")
    return member(machine, package, index, node, node.value)


def _of_unknown(machine: Machine, value: Obj, index: Obj, node: ast.Subscript) -> Obj | None:
    """An entry of a registry, ``globals()[name]``."""
    if value.name == "globals" and not isinstance(index.value, str):
        return namesake(machine, node, node.value)
    return entry(machine, value, node, node.value)


SUBSCRIPTS: dict[ObjKind, Callable[[Machine, Obj, Obj, ast.Subscript], Obj | None]] = {
    "tuple": _of_sequence,
    "list": _of_sequence,
    "element": _of_element,
    "tensor": _of_tensor,
    "dict": _of_dict,
    "dataset": _of_dataset,
    "instance": _of_instance,
    "encoding": _of_encoding,
    "import": _of_import,
    "unknown": _of_unknown,
}


# --- subscripts of tensors -------------------------------------------------------------------------------------------------


def conflicting_index(
    machine: Machine, value: Obj, index: Obj, node: ast.Subscript, *, written: bool = False
) -> Place | None:
    """The place of an index that a tensor on the CPU does not accept: one on a device. The opposite is harmless,
    and of a single number the value is read. written: the items are assigned, so that a moved copy of the tensor would not do."""
    if value.place is None or not value.place.is_host:
        return None
    given = node if written else node.value
    for item in index.items or (index,):
        if machine.on_device(item) and not item.maybe:
            machine.event("conflict", node, value, place=item.place, what="indexed", arg_node=given, args=(item,))
            return item.place
    return None


def _keys(key: ast.expr) -> list[ast.expr]:
    return key.elts if isinstance(key, ast.Tuple) else [key]


def _keeps_dimension(key: ast.expr) -> bool:
    """``:``, ``None`` and ``...`` take no dimension away."""
    return isinstance(key, ast.Slice) or (isinstance(key, ast.Constant) and key.value in (None, ...))


def _dimensions_taken(key: ast.expr) -> int:
    """How many dimensions a subscript takes away, at most."""
    return sum(not _keeps_dimension(part) for part in _keys(key))


def _may_be_number(key: ast.expr, index: Obj) -> bool:
    """Whether a subscript may give a tensor of no dimension."""
    return all(not _keeps_dimension(part) and not isinstance(part, ast.List) for part in _keys(key)) and all(
        item.kind not in ("tensor", "element", "list") for item in index.items or (index,)
    )
