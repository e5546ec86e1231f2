"""Tensors that numpy reads without a copy, where the result goes to the device of a tensor.

``torch.from_numpy(filtered(x.numpy())).to(x.device)`` is meant for tensors of any device: on the CPU the move would do nothing. The same
holds for a tensor that is read beside another one, which is copied to the CPU, if the result of both goes to the device of that one.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.facts.program.ast_names import argument_values, dotted
from placefix.facts.program.ast_walk import header, walk
from placefix.facts.program.device_values import device_argument, move_destination
from placefix.facts.program.placing_calls import goes_to_host

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.expression_index import Index
    from placefix.facts.program.tree import Scope, Stmt

_STEPS = 8  # of assignments from a read to the result


class _Return(NamedTuple):
    """What goes to the device of a tensor: the expressions that are moved or copied, the name of the tensor, the line."""

    given: list[ast.expr]
    owner: str
    line: int


class RoundTrips:
    """Answers for one function."""

    def __init__(self, context: AnalysisContext, scope: Scope) -> None:
        self.context = context
        self.scope = scope
        self._stmts = [stmt for stmt in context.tree.stmts.values() if stmt.scope is scope]
        self._returns = list(self._returned())

    def owner(self, tensor: ast.expr, read: Stmt, copied: Iterable[tuple[ast.expr, Stmt]]) -> str:
        """The name of the tensor to whose device the result goes that is computed of a tensor which numpy reads: itself, or one of those that
        are copied; "" if there is none."""
        name = root_of(tensor)
        if not name or not self._returns or self._is_on_host(name, read):
            return ""
        others = [(root, one, stmt) for one, stmt in copied if (root := root_of(one)) and root != name]
        computed = self._computed_of(tensor, read)
        for back in self._returns:
            if back.line < tensor.lineno or not computed.are_in(back.given):
                continue
            if back.owner == name:
                return name
            if any(
                self._is_made_of(root, back.owner, stmt) and self._computed_of(one, stmt).are_in(back.given)
                for root, one, stmt in others
            ):
                return back.owner
        return ""

    def move(self, tensor: ast.expr, read: Stmt) -> ast.Call | None:
        """The call that moves a result, which is computed of a tensor that numpy reads, to a device; None if there is none."""
        if self._is_on_host(root_of(tensor), read):
            return None
        computed = self._computed_of(tensor, read)
        moves = (call for call, stmt in self.context.index.called("to", "cuda") if stmt.scope is self.scope)
        placing = (call for call in moves if move_destination(call) and call.lineno > tensor.lineno)
        return next((call for call in placing if computed.are_in([call.func.value])), None)  # type: ignore[attr-defined]

    def _returned(self) -> Iterator[_Return]:
        """``x.to(y.device)``, ``torch.tensor(x, device=y.device)``, with ``device = y.device`` as well."""
        if ".device" not in self.context.tree.text(self.scope):
            return
        for call, stmt in self.context.index.calls:
            if stmt.scope is not self.scope:
                continue
            moves = isinstance(call.func, ast.Attribute) and call.func.attr in ("to", "cuda")
            device = device_argument(call)
            owner = self._owner_of(device) if device is not None else ""
            if owner:
                given = [call.func.value] if moves else call.args  # type: ignore[attr-defined]
                yield _Return(list(given), owner, call.lineno)

    def _owner_of(self, device: ast.expr) -> str:
        """The name of the tensor whose device an expression is."""
        if isinstance(device, ast.Attribute) and device.attr == "device":
            return dotted(device.value)
        values = self.context.index.values(self.scope, device.id) if isinstance(device, ast.Name) else ()
        found = [write.value for write in values]
        value = found[0] if len(found) == 1 else None
        is_device = isinstance(value, ast.Attribute) and value.attr == "device"
        return dotted(value.value) if is_device else ""  # type: ignore[union-attr]

    def _is_on_host(self, name: str, read: Stmt) -> bool:
        """Whether a statement before a read binds the name to something of the host."""
        index: Index = self.context.index
        bound = [write for write in index.values(self.scope, name) if write.stmt is not read]
        return any(
            write.value is None or goes_to_host(write.value)
            for write in bound
            if write.stmt.node.lineno <= read.node.lineno
        )

    def _is_made_of(self, name: str, owner: str, read: Stmt) -> bool:
        """Whether a tensor is another one, or computed of it, where numpy reads it."""
        found = _Computed(None, {owner})
        found.follow_all(stmt for stmt in self._stmts if stmt.node.lineno < read.node.lineno)
        return name in found.names

    def _computed_of(self, tensor: ast.expr, read: Stmt) -> _Computed:
        """The names that hold values computed of a tensor after numpy has read it."""
        found = _Computed(tensor, set())
        found.follow_all(stmt for stmt in self._stmts if stmt is read or stmt.node.lineno >= read.node.lineno)
        return found


class _Computed:
    """The expressions that are computed of a tensor: those with its expression, or with one of the names that hold such a value."""

    def __init__(self, tensor: ast.expr | None, names: set[str]) -> None:
        self._tensor = tensor
        self.names = names

    def follow_all(self, stmts: Iterable[Stmt]) -> None:
        """The names that statements bind to such a value, in whatever order they run."""
        nodes = [stmt.node for stmt in stmts]
        for _ in range(_STEPS):
            before = len(self.names)
            for node in nodes:
                self.follow(node)
            if len(self.names) == before:
                break

    def are_in(self, expressions: Iterable[ast.AST]) -> bool:
        """Whether one of some expressions has such a value."""
        return any(
            node is self._tensor or (isinstance(node, ast.Name) and node.id in self.names)
            for expression in expressions
            for node in walk(expression)
        )

    def follow(self, node: ast.stmt) -> None:
        """The names that a statement binds to such a value, or keeps one in."""
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            places = [target.slice for target in targets if isinstance(target, ast.Subscript)]
            if self.are_in([*filter(None, [node.value]), *places]):
                self._bind(targets)
        elif isinstance(node, ast.For):
            if self.are_in([node.iter]):
                self._bind([node.target])
        elif isinstance(node, ast.Expr):
            call = node.value
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and self.are_in(argument_values(call))
            ):
                self._bind([call.func.value])
        elif isinstance(node, (ast.With, ast.AsyncWith)) and self.are_in(header(node)):
            self._bind([item.optional_vars for item in node.items if item.optional_vars is not None])

    def _bind(self, targets: Iterable[ast.expr]) -> None:
        for target in targets:
            if isinstance(target, (ast.Tuple, ast.List)):
                self._bind(target.elts)
                continue
            node: ast.expr = target
            while isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
                node = node.value
            if isinstance(node, ast.Name) and node.id != "self":
                self.names.add(node.id)


def root_of(tensor: ast.expr) -> str:
    """``x`` of ``x.detach()[0].data``: the name of the tensor that a chain of methods of tensors begins with; "" for other expressions."""
    node = tensor
    while True:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if not torch_model.stays(node.func.attr) and node.func.attr not in ("cpu", "to"):
                return ""
            node = node.func.value
        elif isinstance(node, ast.Subscript) or (
            isinstance(node, ast.Attribute) and torch_model.attribute(node.attr) is not None
        ):
            node = node.value
        else:
            return dotted(node)
