"""Parameters and buffers of modules that numpy reads, that are copied, or that are operands: they lie where their module was placed.

``net.weight.detach().numpy()``, ``p.data.clone()`` in a loop over ``net.parameters()``, ``v - start`` in one over ``net.state_dict().items()``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.interpret.values import Obj, whole_of
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.placing_calls import receivers
from placefix.facts.wording import unite

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.facts.interpret.interpreter_base import Machine

# The name of a tensor that is a parameter of a module.
PARAMETER = "parameter"
_PARAMETERS = frozenset(("parameters", "named_parameters", "buffers", "named_buffers"))
_REGISTERED = frozenset(("weight", "bias"))


def read_parameter(machine: Machine, receiver: Obj, node: ast.Call) -> None:
    """Record that numpy reads a parameter, or a view of one, of modules that are all on a device."""
    assert isinstance(node.func, ast.Attribute)
    if receiver.place is not None and not receiver.place.is_unknown:
        return
    read = parameter_of(machine, node.func.value)
    if read is not None and read.place is not None and read.place.is_off_cpu:
        machine.event("host", node, read, place=read.place, what="numpy", arg_node=node.func.value)


def parameter_of(machine: Machine, node: ast.expr) -> Obj | None:
    """An expression of a parameter or buffer as a tensor, where its module lies now; None for others, and where that is not known."""
    *_, start = receivers(node)
    owners = list(_owners(machine, start))
    places = [machine.place_of(module) for module in owners]
    first = places[0] if places else None
    if first is None or not all(place.is_off_cpu if first.is_off_cpu else place.is_host for place in places):
        return None
    assumed = unite(*(module.premises for module in owners))
    return Obj("tensor", node, place=first, name=PARAMETER, premises=assumed, members=tuple(owners))


def as_operand(machine: Machine, value: Obj, node: ast.expr) -> Obj:
    """An operand beside a tensor or a number: a parameter of a module as the tensor that it is."""
    if value.is_tensor_like or value.is_constant or not (value.is_part or value.members or value.holder or value.whole):
        return value
    return parameter_of(machine, node) or value


def _owners(machine: Machine, node: ast.expr) -> Iterable[Obj]:
    """The modules of which an expression is a parameter or a buffer for certain; none for others."""
    if isinstance(node, ast.Attribute) and node.attr in _REGISTERED and dotted(node):
        value = machine.eval(node)
        whole = whole_of(value) if value.is_part else None
        return (whole,) if whole is not None and _is_registered(value, whole) else ()
    if isinstance(node, ast.Subscript):
        return _of_state(machine, node.value)
    if not isinstance(node, ast.Name):
        return ()
    value = machine.eval(node)
    if value in machine.state.place:
        return ()  # it was moved
    return next(filter(None, (_of_items(machine, held) for held in _holders(value))), ())


def _holders(value: Obj) -> Iterator[Obj]:
    """The containers of which a value is an item, one of a pair."""
    for _ in range(3):
        held = value.holder or value.whole
        if held is None:
            return
        yield held
        value = held


def _of_items(machine: Machine, container: Obj) -> Iterable[Obj]:
    """The modules whose parameters or state a container has: ``net.parameters()``, ``net.state_dict().items()``."""
    if container.kind == "params" and container.attr in _PARAMETERS:
        return container.members
    func = container.origin.func if isinstance(container.origin, ast.Call) else None
    items = isinstance(func, ast.Attribute) and func.attr in ("items", "values")
    return _of_state(machine, func.value) if items else ()  # type: ignore[union-attr]


def _is_registered(part: Obj, whole: Obj) -> bool:
    """Whether a weight is that of a layer of torch: the module itself, a layer that its class makes, or a part of one whose class is not seen."""
    layer = part.base
    if layer is whole:
        return whole.cls is None and whole.name.startswith("torch.nn.")
    return layer is not None and (whole.cls is None or (layer.base is whole and layer.attr in whole.cls.layers))


def _of_state(machine: Machine, node: ast.expr) -> Iterable[Obj]:
    """The module whose state an expression is: ``net.state_dict()``."""
    func = node.func if isinstance(node, ast.Call) and not node.args else None
    if not isinstance(func, ast.Attribute) or func.attr != "state_dict" or not dotted(func.value):
        return ()
    owner = machine.eval(func.value)
    return (owner.root(),) if owner.is_module else ()
