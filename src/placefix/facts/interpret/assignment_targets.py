"""Targets in the abstract interpreter: the bindings of assignments, loops and comprehensions."""

from __future__ import annotations

import ast
from functools import reduce
from typing import TYPE_CHECKING, Any

from placefix.facts.interpret.data_loading import PLACED
from placefix.facts.interpret.forward_parameters import keeps_state
from placefix.facts.interpret.interpreter_base import WORLD
from placefix.facts.interpret.state import merge
from placefix.facts.interpret.subscripts import conflicting_index
from placefix.facts.interpret.values import UNKNOWN_PLACE, Obj, made_of, whole_of
from placefix.facts.naming import is_cuda_variable, names_weight
from placefix.facts.program.ast_names import called_methods, dotted, is_name, literal_int
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.facts.interpret.expressions import Expressions
    from placefix.facts.program.tree import Stmt


def bind(machine: Expressions, target: ast.expr, value: Obj, stmt: Stmt) -> None:
    """Assign `value` to a target of any form."""
    _TARGETS[target.__class__](machine, target, value, stmt)


def _name(machine: Expressions, target: ast.Name, value: Obj, stmt: Stmt) -> None:
    value = machine.by_evidence(target, value)
    machine.store_name(target.id, value)
    if not machine.abroad:
        is_left = value.kind == "tensor" and value.place is not None and value.place.is_host
        machine.on_host[target.id, stmt] = is_left and machine.on_host.get((target.id, stmt), True)
    if value.kind in ("element", "tensor", "dict", "encoding") and not machine.abroad and value not in machine.binds:
        machine.binds[value] = (target.id, stmt)
        if value.kind == "tensor" and value.roots:
            value.roots |= {value}  # the repair of a derived tensor may be at a named one


def _places(node: ast.stmt) -> bool:
    """Whether a statement moves something, or makes it with ``device=``."""
    return bool(called_methods(node) & {"to", "cuda"}) or any(
        isinstance(part, ast.keyword) and part.arg == "device" for part in walk(node)
    )


def _attribute_of_tensor(machine: Expressions, target: ast.Attribute, base: Obj, value: Obj, stmt: Stmt) -> None:
    """Record a tensor that becomes an attribute: of an instance under its name, of others as a use of it."""
    if not base.is_instance:
        machine.use(value, "attribute" if base.is_module else "escape", target)
    elif not machine.abroad and value not in machine.binds:
        machine.binds[value] = (dotted(target), stmt)


def _forget_place(machine: Expressions, target: ast.Attribute, base: Obj, stmt: Stmt) -> None:
    """Drop the place of an object, if the attribute that is set holds its tensors."""
    if base.kind == "encoding":
        base.base = None
    elif base.is_tensor_like and target.attr == "data":
        base.place = UNKNOWN_PLACE  # x.data = x.data.to(device)
        machine.use(base, "opaque", target)
    elif base.kind == "dataset" and _places(stmt.node):
        base.value = PLACED  # train.targets = train.targets.to(device)


def _attribute(machine: Expressions, target: ast.Attribute, value: Obj, stmt: Stmt) -> None:
    base = machine.eval(target.value)
    value = machine.by_evidence(target, value)
    machine.use_generated(value, target)
    setter = base.cls.setters.get(target.attr) if base.cls is not None else None
    if setter is not None and machine.accessed(setter, base, target, value) is not None:
        return
    if base.cls is not None and (target.attr in base.cls.descriptors or "__setattr__" in base.cls.methods):
        machine.use(value, "opaque", target)
        value = Obj("unknown", target)
    if _conflicting_state(machine, target, base, value, stmt):
        return
    if value.is_tensor_like:
        _attribute_of_tensor(machine, target, base, value, stmt)
    _forget_place(machine, target, base, stmt)
    # model.fc.weight.requires_grad = False, p.requires_grad = False over model.parameters()
    if base.kind in ("part", "unknown"):
        machine.touch_part(base, "init" if target.attr == "data" else "params")
    if base.is_part:
        machine.part_set(base, value, target)
        whole = whole_of(base)
        if target.attr == "data" and whole is not None:
            _fill(machine, whole, value)
    if base.is_module:
        root = base.root()
        if names_weight(target.attr):
            _fill(machine, root, value)
        machine.touch(root, "params")
        if value.is_module and value is not base:
            machine.held.add(value.root())
            machine.part_set(base, value, target)
            machine.state.fields[root, target.attr] = value
            return
    machine.state.fields[base.root() if base.is_module else base, target.attr] = value


def _conflicting_state(machine: Expressions, target: ast.Attribute, base: Obj, value: Obj, stmt: Stmt) -> bool:
    """Whether an attribute that `forward` gives a recurrent layer, which is on a device, is set to tensors on the CPU:
    ``net.hidden = (torch.zeros(1, 1, n), torch.zeros(1, 1, n))``."""
    if not base.is_module or base.cls is None or base.root() is not base or not keeps_state(base.cls, target.attr):
        return False
    place, given = machine.place_of(base), getattr(stmt.node, "value", None)
    if given is None or not place.is_off_cpu:
        return False
    parts = [(part, expr) for part, expr, _ in machine.parts(value, given)]
    left = [
        (part, expr) for part, expr in parts if part.kind == "tensor" and part.place is not None and part.place.is_host
    ]
    for part, expr in left:
        machine.event("conflict", target, part, place=place, what="operand", arg_node=expr, args=(base,))
    return bool(left)


def _fill(machine: Expressions, module: Obj, value: Obj) -> None:
    """A module is given a new weight; assigning it a value computed from its own weight changes nothing."""
    if any(member.root() is module for member in made_of(value)):
        return
    place = value.place if value.kind == "tensor" else None
    host = (place is not None and place.is_host) or value in machine.made_here
    machine.filled[module] = machine.filled.get(module, True) and host


def _several(machine: Expressions, target: ast.Tuple | ast.List, value: Obj, stmt: Stmt) -> None:
    elements = target.elts
    if (
        value.is_sequence
        and value.items is not None
        and len(value.items) == len(elements)
        and not any(isinstance(e, ast.Starred) for e in elements)
    ):
        for element, item in zip(elements, value.items):
            bind(machine, element, item, stmt)
        return
    for number, element in enumerate(elements):
        if isinstance(element, ast.Starred):
            machine.use(value, "escape", element)  # a list of its rows
            _rest(machine, element, value, stmt)
        else:
            bind(machine, element, machine.item_of(value, number, element), stmt)


def _rest(machine: Expressions, target: ast.Starred, value: Obj, stmt: Stmt) -> None:
    bind(machine, target.value, Obj("unknown", target), stmt)


def _written_items(machine: Expressions, base: Obj, index: Obj, target: ast.Subscript, value: Obj, stmt: Stmt) -> None:
    """Items that a tensor picks, as a mask or as indices: their values must be where the written tensor is. Those under a number or a slice
    are copied from any device, and a value of no dimension, or a single one, is moved."""
    picked = any(item.is_tensor_like and not item.maybe for item in index.items or (index,))
    if picked and value.is_tensor_like and not value.maybe and not _is_single(value.origin):
        is_plain = isinstance(stmt.node, ast.Assign) and stmt.node.targets == [target]
        given = stmt.node.value if is_plain else target  # type: ignore[attr-defined]
        machine.tensor_op(target, (base, value), (target, given), into=base)


def _is_single(node: ast.AST | None) -> bool:
    """Whether a call makes a tensor of one item: ``torch.zeros(1)``, ``torch.tensor([0.0])``."""
    sizes = node.args if isinstance(node, ast.Call) else []
    listed = isinstance(sizes[0], (ast.List, ast.Tuple)) and len(sizes[0].elts) == 1 if sizes else False
    return len(sizes) == 1 and (listed or literal_int(sizes[0]) == 1)


def _item(machine: Expressions, target: ast.Subscript, value: Obj, stmt: Stmt) -> None:
    base = machine.eval(target.value)
    key = machine.eval(target.slice)
    set_by_name(machine, target.value)
    machine.assign_item(base, target.slice, value)
    if base.is_tensor_like:
        conflicting_index(machine, base, key, target, written=True)
        _written_items(machine, base, key, target, value, stmt)
    if value.members:
        base.members = tuple(dict.fromkeys((*base.members, *value.members)))
    if base.kind == "encoding":
        base.base = None
    machine.use_generated(value, target)
    if value.is_tensor_like:
        machine.use(value, "escape", target)
    if base.is_module:
        machine.touch(base.root(), "params")
    elif base.kind in ("part", "unknown"):
        machine.touch_part(base, "init")  # model.embedding.weight.data[0] = …
        machine.part_set(base, value, target)
    elif base.is_import and base.name == "os.environ" and is_cuda_variable(key.value):
        machine.touch(WORLD, "env")


def forget_attributes(machine: Expressions, owner: Obj) -> None:
    """Attributes of an object are set whose names are not known: its tensors may be others."""
    root = owner.root() if owner.is_module else owner
    for (of, attr), value in list(machine.state.fields.items()):
        if of is root and value.is_tensor_like:
            machine.state.fields[of, attr] = Obj("unknown", value.origin, name=attr)


def set_by_name(machine: Expressions, expr: ast.expr) -> None:
    """Items of an expression are set: names, if it is ``globals()``, or attributes, if it is ``vars(x)`` or ``x.__dict__``."""
    owner = namespace_owner(machine, expr)
    if owner is not None:
        forget_attributes(machine, owner)
    elif (
        isinstance(expr, ast.Call) and isinstance(expr.func, ast.Name) and expr.func.id in ("globals", "locals", "vars")
    ):
        forget_names(machine)


def forget_names(machine: Expressions) -> None:
    """Names are bound that are not known: the tensors of this function and of the module level may be others."""
    for scope in dict.fromkeys((machine.scopes_active[-1], machine.tree.root)):
        ident = machine.envs.get(scope)
        if ident is not None:
            names = machine.state.names(ident)
            for name, value in list(names.items()):
                if value.is_tensor_like:
                    names[name] = Obj("unknown", value.origin, name=name)


def namespace_owner(machine: Expressions, expr: ast.expr) -> Obj | None:
    """The object whose attributes are the items of an expression: `x` for ``x.__dict__`` and ``vars(x)``."""
    if isinstance(expr, ast.Attribute):
        return machine.eval(expr.value) if expr.attr == "__dict__" else None
    named = isinstance(expr, ast.Call) and is_name(expr.func, "vars") and len(expr.args) == 1
    return machine.eval(expr.args[0]) if named else None  # type: ignore[attr-defined]


_TARGETS: dict[type[ast.expr], Callable[[Any, Any, Obj, Stmt], None]] = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Tuple: _several,
    ast.List: _several,
    ast.Starred: _rest,
    ast.Subscript: _item,
}


def bind_loop(machine: Expressions, target: ast.expr, iterable: Obj, expr: ast.expr, stmt: Stmt) -> None:
    """Bind a loop's target to one item of the iterable: `iterable` is the value of `expr`."""
    several = target.elts if isinstance(target, (ast.Tuple, ast.List)) else ()
    if iterable.kind == "enumerated" and len(several) == 2:
        bind(machine, several[0], Obj("const", several[0]), stmt)
        assert iterable.base is not None
        bind_loop(machine, several[1], iterable.base, expr, stmt)
    elif iterable.kind == "zipped" and iterable.items and len(several) == len(iterable.items):
        for element, item in zip(several, iterable.items):
            bind_loop(machine, element, item, expr, stmt)
    else:
        bind(machine, target, _one_of(machine, iterable, target, expr), stmt)


def _one_of(machine: Expressions, iterable: Obj, target: ast.expr, expr: ast.expr) -> Obj:
    """One item of a loop's iterable."""
    kind, items, base = iterable.kind, iterable.items, iterable.base
    if kind == "loader":
        return machine.new_element(iterable, target)
    if kind in ("enumerated", "zipped"):
        return _pair_of(machine, iterable, target, expr)
    if kind == "generated" and base is not None:
        return machine.any_item(iterable, base)
    if kind == "dataset":
        item = machine.item_of_dataset(iterable, target)
        if item is not None:
            return item
    if kind in ("list", "tuple") and items and all(i.kind == "tensor" for i in items):
        return reduce(merge, items)
    if kind == "list" and items is None and base is not None and base.kind in ("tensor", "module", "unknown"):
        return machine.any_item(iterable, base)  # each of them is like this one
    if kind == "element":
        return machine.item_of(iterable, "*", target)
    if kind == "tensor":
        item = machine.tensor_op(expr, (iterable,))
        item.maybe = True  # one of a vector's is 0-dim
        return item
    parameters = iterable if kind == "params" else None
    cls = iterable.cls if kind == "list" else None  # the objects differ in all but their class
    return Obj("unknown", target, members=made_of(iterable), base=parameters, holder=iterable, cls=cls)


def _pair_of(machine: Expressions, iterable: Obj, target: ast.expr, expr: ast.expr) -> Obj:
    """One item of what `enumerate` or `zip` gives, with one name."""
    parts = [_one_of(machine, part, target, expr) for part in iterable.items or filter(None, (iterable.base,))]
    counter = [] if iterable.kind == "zipped" else [Obj("const", target)]
    return Obj("tuple", target, items=(*counter, *parts)) if parts else Obj("unknown", target, holder=iterable)


def bind_overlay(machine: Expressions, target: ast.expr, iterable: Obj, overlay: dict[str, Obj]) -> None:
    """Bind a comprehension's target to one item of its iterable, in `overlay`, the names local to the comprehension."""
    item = machine.new_element(iterable, target) if iterable.kind == "loader" else None
    if iterable.is_element:
        item = machine.item_of(iterable, "*", target)
    elif iterable.kind == "tensor":
        item = machine.tensor_like(iterable, target, scalar=True)
    if iterable.is_unknown and iterable.base is not None and iterable.attr == "items":
        if isinstance(target, ast.Tuple) and len(target.elts) == 2:  # (key, tensor)
            values = Obj("unknown", target, base=iterable.base, attr="values")
            bind_overlay(machine, target.elts[0], Obj("unknown", target), overlay)
            bind_overlay(machine, target.elts[1], values, overlay)
            return
    elif iterable.is_unknown and iterable.base is not None and iterable.attr == "values":
        item = iterable.base
    if isinstance(target, ast.Name):
        overlay[target.id] = item or Obj("unknown", target, name=target.id, members=made_of(iterable), holder=iterable)
        return
    pair = item or Obj("unknown", target, holder=iterable)
    for number, part in enumerate(part for part in walk(target) if isinstance(part, ast.Name)):
        overlay[part.id] = (
            machine.item_of(item, number, part)
            if item is not None
            else Obj("unknown", part, name=part.id, members=made_of(iterable), holder=pair, value=number)
        )
