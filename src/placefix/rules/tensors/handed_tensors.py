"""Tensors that a function makes on the CPU and treats as others that it places: it returns or passes them together, or binds one name
to either of them.

What receives ``return ids, mask.to(device)`` gets tensors of two devices. In ``if x: y = ones(2).to(device)``, ``else: y = zeros(2)`` the
device of `y` depends on `x`.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.diagnostic import Insert
from placefix.facts import premises
from placefix.facts.finding import Finding
from placefix.facts.interpret.constraint_operators import has_dimension
from placefix.facts.naming import mentions_device, names_lengths
from placefix.facts.program.ast_names import argument_values, is_name, may_give, under_methods
from placefix.facts.program.ast_walk import header, walk
from placefix.facts.program.placing_calls import named_device
from placefix.facts.program.tree import common, dominates
from placefix.rules.tensors.creations import depends_on_place, factory_call, is_copied, move_destination
from placefix.rules.tensors.sibling_evidence import DeviceTests
from placefix.rules.tensors.tensor_moves import moved, scatters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from placefix.diagnostic import Edit, Span
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.tree import Scope, Stmt


class _Placed(NamedTuple):
    """A value that is on a device: the device (".cuda()" for a move without one), and the statement that moves or makes it."""

    device: str
    stmt: Stmt
    text: str


class HandedTensors:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.index = context.index

    def forgotten(self) -> Iterator[Finding]:
        """The tensors of the CPU, each with the placed one that it goes with."""
        for scope in self.context.tree.scopes.values():
            if scope.is_function and scope in self._placing:
                yield from self._in_function(scope)

    @cached_property
    def _placing(self) -> dict[Scope, dict[str, _Placed]]:
        """The functions that bind names to tensors on a device, with these names."""
        found: dict[Scope, dict[str, _Placed]] = {}
        for name, writes in self.index.writes.items():
            for write in writes if "." not in name else ():
                device = self._device_of(write.value)
                if device:
                    found.setdefault(write.stmt.scope, {})[name] = _Placed(device, write.stmt, name)
        for _, stmt in self.index.called("to", "cuda"):
            if isinstance(stmt.node, ast.Return):
                found.setdefault(stmt.scope, {})
        tests = self.context.get(DeviceTests)
        return {scope: names for scope, names in found.items() if not tests.are_in(scope)}

    def _device_of(self, value: ast.expr | None) -> str:
        """The device that an expression moves a tensor to or makes it on; "" for others."""
        value = _scaled(value)
        if not isinstance(value, ast.Call):
            return ""
        device = named_device(value) or move_destination(value)
        if device:
            return device
        if isinstance(value.func, ast.Attribute) and torch_model.stays(value.func.attr):
            return self._device_of(value.func.value)
        first = value.args[0] if value.args else None
        parts = first.elts if isinstance(first, (ast.List, ast.Tuple)) else []  # torch.cat([x, y])
        return next(filter(None, map(self._device_of, parts)), "")

    def _in_function(self, scope: Scope) -> Iterator[Finding]:
        placed = self._placing[scope]
        for name in self.index.binders.get(scope, ()):
            writes = self.index.values(scope, name)
            if (
                not writes
                or len(writes) != len(self.index.binding(scope, name))
                or names_lengths(name)
                or depends_on_place(name, scope, self.index)
                or is_copied(name, scope, self.index)
            ):
                continue
            found = self._of_arms(name, writes) if name in placed else self._of_group(name, writes, scope)
            if found is not None:
                yield found

    @staticmethod
    def _is_made_on_cpu(write: AttributeWrite) -> bool:
        """Whether a factory makes the value of an assignment on the CPU, with a dimension."""
        made = factory_call(_scaled(write.value), write.stmt.scope)
        if made is None or made.destination or may_give(made.call, "device", "out", "pin_memory"):
            return False
        like = any(isinstance(part, ast.Attribute) and part.attr == "device" for part in walk(made.call))
        return not like and has_dimension(made.factory, made.call)

    # --- one name in two arms -------------------------------------------------------------------------

    def _of_arms(self, name: str, writes: Sequence[AttributeWrite]) -> Finding | None:
        """A name that one arm of a test binds to a tensor on a device, and another one to a tensor of the CPU."""
        there = [(write, self._device_of(write.value)) for write in writes]
        placed = [(write, device) for write, device in there if device and device != ".cuda()"]
        for write in [write for write, device in there if not device and self._is_made_on_cpu(write)]:
            for other, device in placed:
                pair = common(write.stmt, other.stmt)
                test = pair[0].node if pair is not None and pair[0] is pair[1] else None
                if isinstance(test, ast.If) and not mentions_device(self.context.text(test.test)):
                    assert other.value is not None and write.value is not None
                    edit = moved(self.context.source, write.value, device)
                    span, text = self.context.span(write.value), self.context.text(other.value)
                    return self._finding(span, edit, name, text, device)
        return None

    # --- several in one place -------------------------------------------------------------------------

    def _of_group(self, name: str, writes: Sequence[AttributeWrite], scope: Scope) -> Finding | None:
        """A name for a tensor of the CPU that the function returns, or passes to a module, with one that is on a device."""
        if not self._is_made_on_cpu(writes[0]) or not all(_is_of_itself(name, write.value) for write in writes[1:]):
            return None
        made = writes[0].stmt
        for stmt in self._statements.get(scope, ()):
            for group in self._groups(stmt):
                node = next((one for one in group if is_name(one, name)), None)
                other = self._placed_in(group, stmt, scope) if node is not None else None
                if node is None or other is None:
                    continue
                edit: Edit = moved(self.context.source, node, other.device)
                if other.stmt is not stmt:
                    if not (dominates(made, other.stmt) and other.stmt is not made):
                        continue
                    call = other.device if other.device.startswith(".") else f".to({other.device})"
                    edit = Insert(self.context.span(other.stmt), f"{name} = {name}{call}", "after")
                return self._finding(self.context.span(made), edit, name, other.text, other.device)
        return None

    @cached_property
    def _statements(self) -> dict[Scope, list[Stmt]]:
        """The statements that return several values or call something, of the functions that place something."""
        found: dict[Scope, list[Stmt]] = {scope: [] for scope in self._placing}
        called = dict.fromkeys(stmt for _, stmt in self.index.calls if stmt.scope in found)
        for stmt in called:
            found[stmt.scope].append(stmt)
        for stmt in self.context.tree.stmts.values():
            if isinstance(stmt.node, ast.Return) and stmt.scope in found and stmt not in called:
                found[stmt.scope].append(stmt)
        return found

    def _groups(self, stmt: Stmt) -> Iterator[list[ast.expr]]:
        """The expressions that a statement returns, or passes to a module, together."""
        from placefix.rules.cuda.device_agreement import Meets  # the analysis of uses of CUDA: most files never need it

        node = stmt.node
        if isinstance(node, ast.Return) and isinstance(node.value, (ast.Tuple, ast.Dict)):
            yield node.value.elts if isinstance(node.value, ast.Tuple) else node.value.values
        if self._scatters:
            return
        for call in [n for part in header(node) for n in walk(part) if isinstance(n, ast.Call)]:
            given = argument_values(call)
            if len(given) > 1 and self.context.get(Meets).is_module(call, stmt.scope):
                yield given

    @cached_property
    def _scatters(self) -> bool:
        """Whether a module may move its inputs."""
        return scatters(self.context)

    def _placed_in(self, group: list[ast.expr], stmt: Stmt, scope: Scope) -> _Placed | None:
        """The first of several expressions that is on a device."""
        placed = self._placing[scope]
        for one in group:
            if isinstance(one, ast.Name) and one.id in placed:
                return placed[one.id]
            device = self._device_of(one)
            if device:
                return _Placed(device, stmt, self.context.text(one))
        return None

    def _finding(self, span: Span, edit: Edit, name: str, other: str, device: str) -> Finding:
        premise = premises.BOUND_ALIKE(name=name, other=other)
        return Finding(
            span, edits=(edit,), premises=(premise,), device=device, doubt=premises.DEVICE_NOT_SEEN, names=(name,)
        )


def _scaled(value: ast.expr | None) -> ast.expr | None:
    """``x`` of ``2 * x - 1``."""
    while isinstance(value, ast.BinOp) and (
        isinstance(value.left, ast.Constant) or isinstance(value.right, ast.Constant)
    ):
        value = value.left if isinstance(value.right, ast.Constant) else value.right
    return value


def _is_of_itself(name: str, value: ast.expr | None) -> bool:
    """Whether a name is bound to a tensor on the same device: ``x = x.float()``."""
    return value is not None and is_name(under_methods(value, torch_model.stays), name)
