"""Tensors that meet arguments of the function they are made in: the callers choose the device, and not every caller is known.

``labels = torch.arange(n)`` that meets a parameter ``targets`` goes to ``targets.device``, which is correct for every caller. Any other
device is correct only if every call of the function is known to pass a tensor on it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import premises
from placefix.facts.context import FileAnalysis
from placefix.facts.devices.execution import Execution
from placefix.facts.interpret.events import called_module
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.arguments import receiver_name
from placefix.facts.program.ast_names import argument_values, every_parameter
from placefix.facts.program.ast_walk import children
from placefix.facts.program.tree import dominates
from placefix.facts.wording import unite
from placefix.rules.ordering.optimizer_calls import shared_depth

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.facts.interpret.values import Event
    from placefix.facts.program.tree import Scope, Stmt, Tree
    from placefix.facts.wording import Premise

_MAX_DEPTH = 6


class Partners(FileAnalysis):
    """Answers for one file."""

    def handed_in(self, event: Event, device: str) -> bool:
        """Whether a tensor meets an argument of the function that makes it, given that `device` is no local of the function."""
        scope = event.stmt.scope
        if not scope.is_function or device.partition(".")[0] in scope.bindings:
            return False
        placed = event.place.event if event.place is not None else None
        if placed is not None and placed.stmt.scope is scope:
            return False
        return any(self._from_callers(side, event, scope) for side in _sides(self.context.tree, event))

    def _from_callers(self, side: ast.expr, event: Event, scope: Scope) -> bool:
        """Whether the device of the other operand depends on the callers: it is a parameter, or made from one."""
        bare = _bare(side)
        if isinstance(bare, ast.Name):
            return self._of_parameter(bare.id, scope, 0)
        return any(
            self._of_parameter(name.id, scope, 0) and (self._is_tensor(name, event.stmt) or self._is_called(name))
            for name in self._sources(side)
        )

    # The analysis of uses of CUDA is loaded at its first use: most files that place something never need it.

    def _is_tensor(self, name: ast.Name, stmt: Stmt) -> bool:
        """Whether a name is known to hold a tensor."""
        from placefix.rules.cuda.use_sites import Cuda

        return self.context.get(Cuda).receivers.is_tensor(name, stmt)

    def _is_called(self, name: ast.Name) -> bool:
        """Whether the file calls the value of a name."""
        from placefix.rules.cuda.device_agreement import Meets

        return self.context.get(Meets).is_called(name.id)

    def _sources(self, expr: ast.expr) -> Iterator[ast.Name]:
        """The names that decide the device of an expression; for the result of a module, the name of the module."""
        todo: list[ast.AST] = [expr]
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Name):
                yield node
            elif isinstance(node, ast.Call) and (
                node in self.context.get(Flow).index.module_calls or not isinstance(_bare(node.func), ast.Name)
            ):
                todo.append(node.func)
            else:
                todo += children(node)

    def device(self, event: Event, stmt: Stmt) -> str:
        """``x.device`` of a tensor that is an argument of the function and another operand of the operation, if `stmt` can name it; else an
        empty string."""
        scope = event.stmt.scope
        if stmt.scope is not scope:
            return ""
        for name in _operands(self.context.tree, event):
            owner = scope.lookup(name.id)
            if owner is not scope or not self._of_parameter(name.id, scope, 0):
                continue
            bound = self.index.binding(scope, name.id)
            is_parameter = any(a.arg == name.id for a in every_parameter(scope.function.args))
            if bound and (is_parameter or not all(dominates(b, stmt) and b is not stmt for b in bound)):
                continue
            if self._is_tensor(name, event.stmt):
                return f"{name.id}.device"
        return ""

    def premises(self, events: Iterable[Event], device: str) -> tuple[Premise, ...]:
        """The assumptions about callers if conflicts are repaired with a `device` that is not one of the arguments; none if all
        callers are known."""
        assumed: list[Premise] = []
        for event in events:
            if self.handed_in(event, device):
                function = self._open(event)
                if function is not None:
                    shown = f"`{device}`" if not device.startswith(".") else "the GPU"
                    assumed.append(premises.CALLERS_PASS_ON_DEVICE(function=function.name, device=shown))
        return unite(assumed)

    def _open(self, event: Event) -> Scope | None:
        """A function on the way from where it was placed to a conflict, not all of whose callers are seen to come to that."""
        placed = event.place.event if event.place is not None else None
        first = shared_depth(event, placed) + 1 if placed is not None else 1
        same = self.context.get(Flow).index.of_node("conflict", event.node)
        for depth in range(max(first, 1), len(event.stack)):
            function = event.stack[depth].stmt.scope
            if not self.context.get(Execution).has_known_callers(function):
                return function
            seen = {
                e.stack[n - 1].stmt for e in same for n in range(1, len(e.stack)) if e.stack[n].stmt.scope is function
            }
            if any(stmt not in seen for _, stmt in self._calls(function)):
                return function
        return None

    def _calls(self, function: Scope) -> list[tuple[ast.Call, Stmt]]:
        """Where the file calls a function, or a method of any object that is called like it."""
        method = function.parent is not self.context.tree.root
        return [
            (call, stmt)
            for call, stmt in self.index.called(function.name)
            if isinstance(call.func, ast.Attribute if method else ast.Name)
        ]

    def _of_parameter(self, name: str, scope: Scope, depth: int) -> bool:
        """Whether a name of a function holds an argument, or a value made from one."""
        if scope.lookup(name) is not scope or depth > _MAX_DEPTH:
            return False
        if name != receiver_name(scope) and any(a.arg == name for a in every_parameter(scope.function.args)):
            return True
        return any(
            part.id != name and self._of_parameter(part.id, scope, depth + 1)
            for write in self.index.values(scope, name)
            if write.value is not None
            for part in self._sources(write.value)
        )


def _operands(tree: Tree, event: Event) -> Iterator[ast.Name]:
    """The names of the other operands of an operation, under methods that leave them on their device."""
    if event.what in ("operand", "loss"):
        for side in _sides(tree, event):
            bare = _bare(side)
            if isinstance(bare, ast.Name):
                yield bare


def _sides(tree: Tree, event: Event) -> list[ast.expr]:
    """The operands of an operation other than the tensor on the wrong device; for the call of a module, the module."""
    node = event.node
    if isinstance(node, ast.BinOp):
        sides: list[ast.expr] = [node.left, node.right]
    elif isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
    elif isinstance(node, ast.Subscript):
        sides = [node.value, node.slice]
    elif isinstance(node, ast.Call) and event.what in ("input", "taken"):
        sides = [called_module(tree, event)]
    elif isinstance(node, ast.Call):
        sides = [node.func, *argument_values(node)]
    else:
        sides = [node]
    return [side for side in sides if side is not event.arg_node]


def _bare(expr: ast.expr) -> ast.expr:
    """The object that an expression is an attribute, an item or a view of."""
    while True:
        if isinstance(expr, (ast.Attribute, ast.Subscript, ast.Starred)):
            expr = expr.value
        elif isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute) and _gives_same(expr.func.attr):
            expr = expr.func.value
        else:
            return expr


def _gives_same(method: str) -> bool:
    """Whether a method of a tensor gives one in the same place."""
    return torch_model.stays(method) or method == "type"
