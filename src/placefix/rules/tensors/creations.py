"""Tensors as the text of an expression makes them: the factory, and the device of a move around it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.facts.program.device_values import move_destination

if TYPE_CHECKING:
    from placefix.facts.program.expression_index import Index
    from placefix.facts.program.tree import Scope


class FactoryCall(NamedTuple):
    """``torch.zeros(3).float().to(device)``: the call of the factory, its qualified name, and the device of the last move, "" without one."""

    call: ast.Call
    factory: str
    destination: str


def factory_call(value: ast.expr | None, scope: Scope) -> FactoryCall | None:
    """The creation of a tensor by a factory, under methods that move it or leave it on its device; None for other expressions."""
    device = ""
    while isinstance(value, ast.Call):
        name = scope.tree.qualname(value.func, scope)
        if name is not None:
            return FactoryCall(value, name, device) if torch_model.is_factory(name) else None
        move = move_destination(value)
        if not isinstance(value.func, ast.Attribute) or not (move or torch_model.stays(value.func.attr)):
            return None
        device = device or move
        value = value.func.value
    return None


def decides_place(name: str, scope: Scope, index: Index) -> bool:
    """Whether a function already decides where a tensor lies: it depends on the place, moves the tensor, or copies it to the CPU."""
    return any(decides(name, scope, index) for decides in (depends_on_place, is_moved, is_copied))


def depends_on_place(name: str, scope: Scope, index: Index) -> bool:
    """Whether a function needs a tensor on the CPU, reads its values there, or reads its device."""
    return any(map(torch_model.depends_on_place, _attributes(name, scope, index)))


def is_moved(name: str, scope: Scope, index: Index) -> bool:
    """Whether a function moves a tensor to a device."""
    return any(map(torch_model.moves, _attributes(name, scope, index)))


def is_copied(name: str, scope: Scope, index: Index) -> bool:
    """Whether a function copies a tensor to the CPU: the copy serves wherever the tensor is."""
    return "cpu" in _attributes(name, scope, index)


def _attributes(name: str, scope: Scope, index: Index) -> set[str]:
    """The attributes that a function reads of a name."""
    return {attr for attr, stmt in index.attribute_reads(name) if stmt.scope is scope}
