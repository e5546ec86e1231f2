"""Values that a function shows to be tensors: it computes with them, tests their type, or moves another part of the same thing to the device."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts.context import FileAnalysis
from placefix.facts.naming import names_tensor_type
from placefix.facts.program.ast_names import dotted, is_of_dimensions, parameters
from placefix.rules.tensors.sibling_evidence import SiblingEvidence
from placefix.rules.tensors.tensor_moves import moved_alike

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from placefix.facts.interpret.device_facts import Fact
    from placefix.facts.interpret.values import Obj
    from placefix.facts.program.tree import Scope, Stmt


class TensorEvidence(FileAnalysis):
    """Answers for one file."""

    def shows(self, move: ast.Call, receiver: ast.expr, scope: Scope) -> bool:
        """Whether the receiver of a move is a tensor in a function, given that it has a method of that name: a number has none."""
        return (
            self._comes_with_moved(move, receiver, scope)
            or self._is_typed(receiver, scope)
            or self._is_computed_with(receiver, scope)
        )

    def _is_typed(self, receiver: ast.expr, scope: Scope) -> bool:
        """Whether a parameter of the function has a tensor type, also an alias of one, ``x: LongTensor``, or an assignment of it binds the
        name to the result of a function of torch."""
        name = dotted(receiver)
        given = parameters(scope.function.args).get(name) if scope.is_function else None
        if (
            given is not None
            and given.annotation is not None
            and names_tensor_type(self.context.text(given.annotation))
        ):
            return True
        return any(
            isinstance(write.value, ast.Call)
            and torch_model.gives_tensor(self.context.tree.qualname(write.value.func, scope))
            for write in self.context.index.values(scope, name)
        )

    def is_sliced(self, reads: Collection[ast.expr]) -> bool:
        """Whether one of the expressions is sliced in several dimensions: ``x`` of ``x[:, 0]``."""
        return not self._sliced.isdisjoint(reads)

    @cached_property
    def _sliced(self) -> set[ast.expr]:
        return {
            node.value
            for node in self.context.tree.root.nodes
            if isinstance(node, ast.Subscript) and is_of_dimensions(node.slice)
        }

    def _is_computed_with(self, receiver: ast.expr, scope: Scope) -> bool:
        """Whether a run of the function in the must-share domain shows that: a test of its type leads to the move, or it is an operand or an index."""
        run = self.context.get(SiblingEvidence).run(scope)
        value = run.value_at(receiver) if run is not None else None
        if run is None or value is None or run.role(value) != "value":
            return False
        if value in run.narrowed:
            return True
        said: set[Fact] = set().union(*run.said)
        return any(_is_operand(value, fact, said) for fact in said)

    def _comes_with_moved(self, move: ast.Call, receiver: ast.expr, scope: Scope) -> bool:
        """Whether the function assigns the same move of another value that comes with this one: one statement unpacks both, or they are
        items of one thing under different keys."""
        index, name = self.context.index, dotted(receiver)
        mine = index.binding(scope, name)
        for other, beside in self._assigned_alike(move, scope) if mine else ():
            rest = [stmt for stmt in index.binding(scope, other) if stmt is not beside]
            if name == other or not rest:
                continue
            whole = _whole_of(mine[0].node) if len(mine) == 1 else ""
            if mine == rest or (whole and whole == _whole_of(rest[0].node)):
                return True
        return False

    def _assigned_alike(self, move: ast.Call, scope: Scope) -> Iterator[tuple[str, Stmt]]:
        """The names of a function that an assignment moves as `move` moves another one, with the assignment."""
        for other, writes in self.context.index.writes.items():
            for write in writes:
                if write.stmt.scope is scope and moved_alike(write.stmt.node, move, helpers=True) == other:
                    yield other, write.stmt


def _is_operand(value: Obj, fact: Fact, said: set[Fact]) -> bool:
    """Whether a fact is about an operation with the value, or about something that it indexes: the value follows from that, and not the reverse."""
    if fact[0] == "meets":
        return fact[1] is value
    if fact[0] == "indexed":
        return fact[2] is value
    return fact[0] == "implies" and fact[2] is value and ("implies", value, fact[1]) not in said


def _whole_of(node: ast.stmt) -> str:
    """``batch`` of ``x = batch["x"]``; "" for other statements."""
    value = getattr(node, "value", None)
    is_item = isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant)
    return dotted(value.value) if is_item else ""  # type: ignore[union-attr]
