"""Values of unknown kind that the code moves to a device, where they can only be tensors.

After ``x = x.to(device)``, a parameter `x` may be a module or a tensor: a move leaves the object itself, which a module is afterwards as
well, so that `State.place` has the place of the object. In ``torch.cat((x, y))`` it is a tensor, and the result of the move, if the
operand is that: other names of the object still are the tensor that was not moved.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import premises
from placefix.facts.interpret.values import Obj
from placefix.facts.naming import last
from placefix.facts.program.assignments import only_target, target_pairs
from placefix.facts.program.ast_names import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.interpreter_base import Machine
    from placefix.facts.program.tree import Stmt


# Functions that tell whether a value is a tensor.
_ASK_KIND = frozenset(("is_tensor", "isinstance", "hasattr"))


def tensor_moved(machine: Machine, value: Obj, expr: ast.expr, *, proven: bool = True) -> Obj:
    """The tensor on a device that a value of unknown kind is as an operand; the value itself where nothing moved it.

    proven: whether only a tensor can be the operand.
    """
    places = machine.state.place
    if value.kind != "unknown" or not places or value.alts or value.members or value.given or value.cls is not None:
        return value
    place = next((place for one in _unchanged(value) if (place := places.get(one)) is not None), None)
    event = place.event if place is not None and place.is_off_cpu else None
    if place is None or event is None:
        return value
    move, stmt = machine.moves_abroad.get(event) or (event.node, event.stmt)
    if not _gives(value, expr, event.obj, move, stmt):
        return value
    assumed = () if proven else (premises.NAME_IS_TENSOR(name=machine.source.code(expr)),)
    return Obj("tensor", move, place=place, name="moved", premises=assumed)


def _unchanged(value: Obj) -> Iterator[Obj]:
    """A value, and those that methods which leave a tensor on its device were called on to make it."""
    one: Obj | None = value
    while one is not None:
        yield one
        one = one.same


def _gives(value: Obj, expr: ast.expr, moved: Obj, move: ast.expr, stmt: Stmt) -> bool:
    """Whether an expression, which has a value, is the result of a move. moved: the value that is moved; stmt: the statement of the move."""
    made = value.origin
    parts = [*_receivers(expr)]
    if move in parts or (isinstance(made, ast.expr) and move in _receivers(made)):
        return True
    name = dotted(parts[-1])
    return bool(name) and name == _bound(move, stmt) and moved in _unchanged(value)


def _receivers(node: ast.expr) -> Iterator[ast.expr]:
    """An expression, and the tensors that its methods are called on: ``x.to(device).float()``, ``x.to(device)``."""
    yield node
    if isinstance(node, ast.IfExp) and isinstance(node.test, ast.Call) and last(dotted(node.test.func)) in _ASK_KIND:
        node = node.body  # v.to(device) if torch.is_tensor(v) else v
        yield node
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and torch_model.stays(node.func.attr):
        node = node.func.value
        yield node


def _bound(move: ast.expr, stmt: Stmt) -> str:
    """The name or attribute that an assignment binds to the result of a move; "" if there is none."""
    target = only_target(stmt.node)
    pairs = target_pairs(target, stmt.node.value) if target is not None else ()  # type: ignore[attr-defined]
    return next((dotted(one) for one, given in pairs if given is move), "")
