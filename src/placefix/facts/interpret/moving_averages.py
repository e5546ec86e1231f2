"""Loops that compute with the parameters of two modules: a copy that follows another one, as a moving average or a target network.

``for p, q in zip(net.parameters(), target.parameters()): q.data.mul_(0.9).add_(0.1 * p.data)``
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.facts.program.ast_names import called_methods, identifiers
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.expressions import Expressions
    from placefix.facts.interpret.values import Obj

_PARAMETERS = frozenset(("parameters", "named_parameters", "buffers", "named_buffers", "state_dict"))
_PAIRS = frozenset(("named_parameters", "named_buffers", "items"))
_CONTAINERS = frozenset(("list", "dict", "iter", "OrderedDict", "tuple"))
# Methods that give a tensor of the same size in the same place; those of them that compute with another one.
_MAX_DEPTH = 8


class _Side(NamedTuple):
    """The module that a tensor is a parameter of, or is computed from, and the expression of the tensor."""

    module: Obj
    node: ast.expr


def note_average(machine: Expressions, loop: ast.For) -> None:
    """Record (`stayed`) a module of the CPU whose parameters a loop computes with together with those of one on a device."""
    if not any(isinstance(n, ast.Attribute) and n.attr in _PARAMETERS | {"items", "values"} for n in walk(loop.iter)):
        return
    run = _ParameterLoop(machine)
    run.bind(loop.target, loop.iter)
    if not run.sides or any(map(_moves, loop.body)):
        return
    for one, other in run.met(loop.body):
        for mine, theirs in ((one, other), (other, one)):
            place = machine.place_of(theirs.module)
            if not machine.place_of(mine.module).is_host or not place.is_device:
                continue
            if place.device is not None and not place.device.is_cpu and machine.stays_where_made(mine.module):
                machine.event("stayed", mine.node, mine.module, place=place, what="average")
                return


def _moves(stmt: ast.stmt) -> bool:
    """Whether a statement may move a tensor, or compute with it on the host."""
    methods = called_methods(stmt)
    return (
        not methods.isdisjoint({"to", "cuda", "cpu", "type_as", "item"})
        or any(name.startswith("new") for name in methods)
        or any("device" in name or "numpy" in name for name in identifiers(stmt))
    )


class _ParameterLoop:
    """One loop: which of its names are tensors of which module."""

    def __init__(self, machine: Expressions) -> None:
        self.machine = machine
        self.sides: dict[str, Obj] = {}

    def bind(self, target: ast.expr, iterable: ast.expr) -> None:
        """The names that the loop binds to parameters."""
        called = iterable.func if isinstance(iterable, ast.Call) else None
        several = target.elts if isinstance(target, ast.Tuple) else []
        if isinstance(iterable, ast.Call) and isinstance(called, ast.Name):
            if called.id == "zip" and len(several) == len(iterable.args):
                for element, arg in zip(several, iterable.args, strict=True):
                    self.bind(element, arg)
                return
            if called.id == "enumerate" and len(several) == 2 and iterable.args:
                self.bind(several[1], iterable.args[0])
                return
        module = self.module(iterable)
        if module is None or not isinstance(called, ast.Attribute):
            return
        if called.attr in _PAIRS and len(several) == 2:
            target = several[1]
        elif called.attr in _PAIRS or called.attr == "state_dict":
            return  # pairs, or keys
        if isinstance(target, ast.Name):
            self.sides[target.id] = module

    def module(self, expr: ast.expr, depth: int = 0) -> Obj | None:
        """The module whose parameters, or state, an expression holds."""
        machine = self.machine
        if isinstance(expr, ast.Name):
            owner = machine.scopes_active[-1].lookup(expr.id)
            bound = owner.bindings.get(expr.id, ()) if owner is not None else ()
            only = bound[0] if len(bound) == 1 else None
            return self.module(only.value, depth + 1) if isinstance(only, ast.Assign) and depth < _MAX_DEPTH else None
        if not isinstance(expr, ast.Call):
            return None
        func = expr.func
        if isinstance(func, ast.Attribute) and func.attr in ("items", "values"):
            return self.module(func.value, depth + 1)
        if isinstance(func, ast.Attribute) and func.attr in _PARAMETERS:
            found = self._denoted(func.value)
            return found.root() if found is not None and found.is_module else None
        name = func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""
        return self.module(expr.args[0], depth + 1) if name in _CONTAINERS and len(expr.args) == 1 else None

    def _denoted(self, expr: ast.expr) -> Obj | None:
        """The current value of a name or a chain of attributes."""
        if isinstance(expr, ast.Name):
            return self.machine.lookup(expr.id)
        base = self._denoted(expr.value) if isinstance(expr, ast.Attribute) else None
        if base is None or not isinstance(expr, ast.Attribute):
            return None
        if expr.attr == "module" and base.is_wrapper:
            return base.base
        return self.machine.state.fields.get((base.root() if base.is_module else base, expr.attr))

    def met(self, suite: list[ast.stmt]) -> Iterator[tuple[_Side, _Side]]:
        """The operations of statements with tensors of two modules."""
        for stmt in suite:
            if isinstance(stmt, (ast.If, ast.With)):
                yield from self.met(stmt.body)
            elif isinstance(stmt, ast.Expr):
                yield from self._operations(stmt.value)
            elif isinstance(stmt, ast.Assign):
                yield from self._operations(stmt.value)
                side = self.side(stmt.value)
                for target in stmt.targets:
                    if isinstance(target, ast.Name):
                        self.sides.pop(target.id, None)
                        if side is not None:
                            self.sides[target.id] = side.module
            elif isinstance(stmt, ast.AugAssign):
                yield from self._operations(stmt.value)
                yield from self._apart([stmt.target, stmt.value])

    def _operations(self, value: ast.expr) -> Iterator[tuple[_Side, _Side]]:
        for node in walk(value):
            if isinstance(node, ast.BinOp):
                yield from self._apart([node.left, node.right])
            elif (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and torch_model.combines(node.func.attr)
            ):
                named = self.machine.tree.qualname(node.func, self.machine.scopes_active[-1])
                yield from self._apart([*([] if named else [node.func.value]), *node.args])

    def _apart(self, operands: list[ast.expr]) -> Iterator[tuple[_Side, _Side]]:
        """The operands that belong to two modules."""
        sides = [side for side in map(self.side, operands) if side is not None]
        if len({side.module for side in sides}) == 2:
            yield sides[0], next(side for side in sides if side.module is not sides[0].module)

    def side(self, expr: ast.expr) -> _Side | None:
        """The module that a tensor belongs to; None for values that are no tensor, or may be a single number."""
        if isinstance(expr, ast.Name):
            return _Side(self.sides[expr.id], expr) if expr.id in self.sides else None
        if isinstance(expr, ast.Attribute):
            return self.side(expr.value) if expr.attr in ("data", "grad") else None
        if isinstance(expr, ast.UnaryOp):
            return self.side(expr.operand)
        if isinstance(expr, ast.BinOp):
            return self.side(expr.left) or self.side(expr.right)
        if isinstance(expr, ast.Subscript):
            module = self.module(expr.value)
            return _Side(module, expr) if module is not None else None
        if (
            isinstance(expr, ast.Call)
            and isinstance(expr.func, ast.Attribute)
            and torch_model.keeps_size(expr.func.attr)
        ):
            return self.side(expr.func.value)
        return None
