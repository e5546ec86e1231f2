"""Parts of one thing that a function takes out of it and moves to a device, but for one.

    states = batch["states"].to(device)
    actions = batch["actions"]
    rewards = batch["rewards"].to(device)

A call, an operator or a ``return`` that has both a moved part and the other one shows that they belong together. So do attributes that
are set from the items of one thing, if two of them are moved.
"""

from __future__ import annotations

import ast
import builtins
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.facts import premises
from placefix.facts.context import FileAnalysis
from placefix.facts.finding import Finding
from placefix.facts.naming import names_host_value, names_lengths
from placefix.facts.program.ast_names import argument_values, dotted, is_name
from placefix.facts.program.ast_walk import header, walk
from placefix.facts.program.device_values import move_destination
from placefix.rules.tensors.creations import decides_place
from placefix.rules.tensors.tensor_moves import moved, scatters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.tree import Scope, Stmt, Suite

_BUILTINS = frozenset(dir(builtins))


class _TakenPart(NamedTuple):
    """``name = thing["key"].float().to(device)``: the name or attribute, the value, the thing and the part of it as texts, the device of the
    move (".cuda()"; "" without one), and whether it is an item of the thing."""

    name: str
    value: ast.expr
    thing: str
    key: str
    device: str
    stmt: Stmt
    is_item: bool


class PartRows(FileAnalysis):
    """Answers for one file."""

    @cached_property
    def left_behind(self) -> list[Finding]:
        """The parts that alone are not moved."""
        if scatters(self.context):
            return []
        return [found for row in self._rows() for found in self._of_row(row)]

    def _rows(self) -> Iterator[list[_TakenPart]]:
        """The parts of one thing that the statements of one block take."""
        rows: dict[tuple[Suite, str], list[_TakenPart]] = {}
        for stmt in self.context.tree.stmts.values():
            part = self._part(stmt)
            if part is not None:
                rows.setdefault((stmt.suite, part.thing), []).append(part)
        for row in rows.values():
            if len({part.device for part in row}) == 2 and any(not part.device for part in row):
                yield row

    def _part(self, stmt: Stmt) -> _TakenPart | None:
        """The part that an assignment takes out of something, alone or in order to move it."""
        node = stmt.node
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not stmt.scope.is_function:
            return None
        name, value, device = dotted(node.targets[0]), node.value, ""
        while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            move = move_destination(value)
            if not move and not torch_model.stays(value.func.attr) and value.func.attr != "to":
                return None
            device = device or move
            value = value.func.value
        if not name or not isinstance(value, (ast.Subscript, ast.Attribute)):
            return None
        thing, is_item = dotted(value.value), isinstance(value, ast.Subscript)
        if not thing or thing == "self" or (not is_item and "." in thing):
            return None  # an attribute of an attribute is a setting as often as a tensor
        key = value.attr if isinstance(value, ast.Attribute) else _key(value.slice)
        return _TakenPart(name, node.value, thing, key, device, stmt, is_item) if key else None

    def _of_row(self, row: list[_TakenPart]) -> Iterator[Finding]:
        placed = [part for part in row if part.device]
        for part in row:
            if part.device or not self._may_go(part):
                continue
            other = next((one for one in placed if self._go_together(part, one)), None)
            if other is None and not self._are_kept(part, placed):
                continue
            other = other or placed[0]
            yield Finding(
                self.context.span(part.value),
                part.thing,
                edits=(moved(self.context.source, part.value, other.device),),
                premises=(premises.ARRIVES_WITH(other=other.name), premises.NAME_IS_TENSOR(name=part.name)),
                device=other.device,
                doubt=premises.DEVICE_NOT_SEEN,
                names=(part.name,),
            )

    def _may_go(self, part: _TakenPart) -> bool:
        """Whether nothing shows that a part is to stay on the CPU, or is moved later."""
        scope = part.stmt.scope
        if any(names_lengths(word) or names_host_value(word) for word in (part.name, part.key)):
            return False
        if len(self.index.values(scope, part.name)) != 1:
            return False
        return not decides_place(part.name, scope, self.index)

    @staticmethod
    def _are_kept(part: _TakenPart, placed: list[_TakenPart]) -> bool:
        """Whether an item becomes an attribute of the object, as two others do that are moved."""
        kept = [one for one in placed if one.is_item and one.name.startswith("self.")]
        return part.is_item and part.name.startswith("self.") and len(kept) > 1

    def _go_together(self, part: _TakenPart, other: _TakenPart) -> bool:
        """Whether a call, an operator or a ``return`` of the function has both parts."""
        scope = part.stmt.scope
        mine, theirs = self._names_of(part.name, scope), self._names_of(other.name, scope)
        return any(
            any(dotted(one) in mine for one in group) and any(dotted(one) in theirs for one in group)
            for group in self._groups(scope)
        )

    def _names_of(self, name: str, scope: Scope) -> set[str]:
        """A name, and those that are bound to its value alone: ``inputs = observations``."""
        others = (
            found for found in self.index.binders.get(scope, ()) if is_name(self.index.only_value(scope, found), name)
        )
        return {name, *others}

    def _groups(self, scope: Scope) -> list[list[ast.expr]]:
        """The expressions that statements of a function use together."""
        if scope not in self._groups_of:
            stmts = [stmt for stmt in self.context.tree.stmts.values() if stmt.scope is scope]
            nodes = [node for stmt in stmts for part in header(stmt.node) for node in walk(part)]
            nodes += [stmt.node for stmt in stmts if isinstance(stmt.node, ast.Return)]
            self._groups_of[scope] = [group for node in nodes if len(group := self._together(node, scope)) > 1]
        return self._groups_of[scope]

    @cached_property
    def _groups_of(self) -> dict[Scope, list[list[ast.expr]]]:
        return {}

    @staticmethod
    def _together(node: ast.AST, scope: Scope) -> list[ast.expr]:
        """The operands of a node that are meant for one device."""
        if isinstance(node, ast.BinOp):
            return [node.left, node.right]
        if isinstance(node, ast.Call):
            func = node.func
            is_builtin = isinstance(func, ast.Name) and func.id in _BUILTINS and scope.lookup(func.id) is None
            return [] if is_builtin else argument_values(node)
        value = node.value if isinstance(node, ast.Return) else node if isinstance(node, (ast.List, ast.Dict)) else None
        if isinstance(value, (ast.Tuple, ast.List)):
            return value.elts
        return value.values if isinstance(value, ast.Dict) else []


def _key(index: ast.expr) -> str:
    """The literal or the constant, ``KEYS.X``, under which an item is kept; "" for other indices."""
    if isinstance(index, ast.Constant) and not isinstance(index.value, bool):
        return str(index.value)
    return dotted(index) if isinstance(index, ast.Attribute) else ""
