"""Methods of lists and dicts in the abstract interpreter, and of parameters in one."""

from __future__ import annotations

import ast
from functools import reduce
from typing import TYPE_CHECKING

from placefix.facts.interpret.assignment_targets import forget_attributes
from placefix.facts.interpret.choices import has_default
from placefix.facts.interpret.state import merge
from placefix.facts.interpret.subscripts import item_of_dict
from placefix.facts.interpret.values import Obj, made_of

if TYPE_CHECKING:
    from placefix.facts.interpret.expressions import Expressions

_ADD_ITEMS = frozenset(("append", "extend", "insert", "update", "add"))


def container_method(machine: Expressions, receiver: Obj, attr: str, node: ast.Call) -> Obj | None:
    """A method that changes a container or gives its items; None for others."""
    if attr in _ADD_ITEMS:
        return _added(machine, receiver, attr, node)
    if receiver.kind == "params" and attr in ("items", "values", "copy"):
        return Obj("params", node, members=receiver.members)  # of a dictionary of parameters
    if receiver.kind == "dict" and attr in ("items", "values", "keys", "get"):
        args = machine.arguments(node)
        found = Obj("unknown", node, members=receiver.members)
        if attr == "get" and args and not has_default(args) and isinstance(node.func, ast.Attribute):
            return item_of_dict(machine, receiver, node.args[0], node, node.func.value) or found
        if attr != "get" and receiver.items and all(i.is_tensor_like for i in receiver.items):
            found.attr, found.base = attr, machine.tensor_like(reduce(merge, receiver.items), node)
        return found
    return None


def _added(machine: Expressions, receiver: Obj, attr: str, node: ast.Call) -> Obj:
    if receiver.kind == "dict" and attr == "update":
        forget_attributes(machine, receiver)  # its items
    for _, expr, value in machine.arguments(node):
        receiver.members = tuple(dict.fromkeys((*receiver.members, *made_of(value))))
        machine.use(value, "escape", expr)
        _grow(machine, receiver, value if attr == "append" else None, node)
    return Obj("const", node)


def _grow(machine: Expressions, held: Obj, item: Obj | None, node: ast.Call) -> None:
    """A list gets one more item; None: unknown items. The kind of each item is known only for a list that a
    name of this function holds, while it gets nothing but tensors."""
    first = held.items == () and held.base is None
    held.items = None
    if held.kind != "list":
        return
    name = node.func.value if isinstance(node.func, ast.Attribute) else None
    scope = machine.scopes_active[-1]
    own = isinstance(name, ast.Name) and scope.lookup(name.id) is scope and not machine.abroad
    known = first or (held.base is not None and held.base.kind == "tensor")
    if not own or not known or item is None or item.kind != "tensor":
        held.base = None
        return
    held.base = item if held.base is None else merge(held.base, item)
    held.value = "appended"
