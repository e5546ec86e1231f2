"""Copies from a GPU to the CPU that run in the background, and are read before they have finished.

``x.to("cpu", non_blocking=True)`` copies into pinned memory and returns at once; so does ``y.copy_(x, non_blocking=True)`` if `y` is pinned.
The host must synchronise before it reads the values. https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html, section "Other copy
directions"; pytorch/pytorch#140296 has wrong values.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.diagnostic import Replace
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis
from placefix.facts.devices.device_selection import Devices
from placefix.facts.finding import Finding
from placefix.facts.interpret.provenance import Provenance
from placefix.facts.program.ast_names import argument_value, called_name, dotted, is_literal, keyword_value, may_give
from placefix.facts.program.ast_walk import parents
from placefix.facts.program.tree import dominates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.tree import Scope, Stmt

_COPIES = ("to", "copy_")
# Functions of Python and numpy that read the values of their arguments, and those of numpy that share the memory.
_READS = frozenset(("print", "float", "int", "bool", "str", "list", "sum", "max", "min"))
_VIEWS = frozenset(("numpy.asarray", "numpy.asanyarray", "numpy.squeeze", "numpy.reshape", "numpy.transpose"))
_MAX_STEPS = 64  # views and names of one copy


class UnfinishedCopy(NamedTuple):
    """A copy and the first line that reads it. row: 1-based."""

    finding: Finding
    row: int


class UnfinishedCopies(FileAnalysis):
    """PF314 for one file."""

    def found(self) -> Iterator[UnfinishedCopy]:
        """The copies whose values the host reads in the same function, before anything that may synchronise."""
        for call, stmt in self.context.index.called(*_COPIES):
            option = _option(call)
            if option is None or not self._is_from_device(call, stmt):
                continue
            reads = [read for read in self._reads(call, stmt) if not self._may_synchronise(call, stmt, read)]
            if reads:
                edits = (Replace(self.context.span(option), "False", "True"),)
                row = min(read.lineno for read in reads)
                yield UnfinishedCopy(Finding(self.context.span(call), edits=edits), row)

    def _is_from_device(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether a call copies to pinned memory of the CPU from a tensor that is not shown to be there."""
        func = call.func
        if not isinstance(func, ast.Attribute):
            return False
        if func.attr == "to":
            device = keyword_value(call, "device") or (call.args[0] if call.args else None)
            meaning = self.context.get(Devices).meaning(device, stmt.scope) if device is not None else None
            to_cpu, source = meaning is not None and meaning.is_cpu, func.value
        elif call.args:
            to_cpu, source = self._is_pinned(func.value, stmt.scope), call.args[0]
        else:
            return False
        return to_cpu and not self.context.get(Provenance).is_made_on_host(source, stmt.scope)

    def _is_pinned(self, tensor: ast.expr, scope: Scope) -> bool:
        """Whether an expression is a tensor in pinned memory."""
        if isinstance(tensor, ast.Name):
            owner = scope.lookup(tensor.id)
            value = self.context.index.only_value(owner, tensor.id) if owner is not None else None
            return value is not None and owner is not None and self._is_pinned(value, owner)
        return isinstance(tensor, ast.Call) and (
            called_name(tensor) == "pin_memory" or is_literal(keyword_value(tensor, "pin_memory"), True)
        )

    # --- reads of the values --------------------------------------------------------------------------------

    @cached_property
    def _parents(self) -> dict[ast.AST, ast.AST]:
        return parents(self.context.module)

    def _reads(self, copy: ast.Call, stmt: Stmt) -> Iterator[ast.expr]:
        """The expressions that hold the copied values, or share their memory, where their parent reads them."""
        todo: list[tuple[ast.expr, Stmt]] = [(copy, stmt)]
        func = copy.func
        if isinstance(func, ast.Attribute) and func.attr == "copy_":
            todo += self._later(dotted(func.value), stmt)
        steps = 0
        while todo and steps < _MAX_STEPS:
            held, at = todo.pop()
            steps += 1
            parent = self._parents[held]
            if self._is_read(held, parent, at.scope):
                yield held
            elif isinstance(parent, (ast.Assign, ast.NamedExpr, ast.AnnAssign)):
                targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
                if len(targets) == 1 and isinstance(targets[0], ast.Name):
                    todo += self._later(targets[0].id, at)
            else:
                view = self._view(held, parent, at.scope)
                if view is not None:
                    todo.append((view, at))

    def _later(self, name: str, stmt: Stmt) -> Iterator[tuple[ast.expr, Stmt]]:
        """Where a name is read after a statement that gives it its value, in the same function, whatever path it takes."""
        writes = {write.stmt.number for write in self.context.index.values(stmt.scope, name)} if name else set()
        for read, at in self.context.index.read(name) if name else ():
            is_write = isinstance(getattr(read, "ctx", None), ast.Store)
            if is_write or dotted(read) != name or at.scope is not stmt.scope:
                continue
            if _runs_before(stmt, at) and not any(stmt.number < number < at.number for number in writes):
                yield read, at

    def _is_read(self, held: ast.expr, parent: ast.AST, scope: Scope) -> bool:
        """Whether the parent of an expression reads the values of the tensor or array that the expression is."""
        if isinstance(parent, (ast.BinOp, ast.UnaryOp, ast.FormattedValue)):
            return True
        if isinstance(parent, ast.Compare):
            return not any(isinstance(op, (ast.Is, ast.IsNot)) for op in parent.ops)
        if isinstance(parent, (ast.If, ast.While, ast.IfExp)):
            return parent.test is held
        if isinstance(parent, ast.Call) and held in parent.args:
            name = scope.tree.qualname(parent.func, scope) or dotted(parent.func)
            if name.startswith("numpy."):
                return name not in _VIEWS
            return name in _READS or torch_model.reads_values(name) or torch_model.computes_tensor(name)
        method = self._method(held, parent)
        if not method or torch_model.may_share_memory(method):
            return False
        return torch_model.reads_values(f"torch.Tensor.{method}") or torch_model.stays(method)

    def _view(self, held: ast.expr, parent: ast.AST, scope: Scope) -> ast.expr | None:
        """The expression around another one that shares its memory: a view, an item, an array of numpy."""
        if isinstance(parent, ast.Subscript) and parent.value is held:
            is_key = isinstance(parent.slice, ast.Constant) and isinstance(parent.slice.value, str)
            return None if is_key else parent
        if isinstance(parent, ast.Call) and held in parent.args:
            return parent if scope.tree.qualname(parent.func, scope) in _VIEWS else None
        method = self._method(held, parent)
        if method in ("numpy", "cpu") or torch_model.is_view(method):
            call = self._parents[parent]
            return call if isinstance(call, ast.Call) else None
        return None

    def _method(self, held: ast.expr, parent: ast.AST) -> str:
        """The name of the method that is called on an expression, "" if none is."""
        if not isinstance(parent, ast.Attribute):
            return ""
        call = self._parents[parent]
        return parent.attr if isinstance(call, ast.Call) and call.func is parent else ""

    # --- synchronisation ------------------------------------------------------------------------------------

    def _may_synchronise(self, copy: ast.Call, stmt: Stmt, read: ast.expr) -> bool:
        """Whether anything between a copy and a read in the same function may wait for the GPU: a call of which that is not excluded, or the
        end of a `with` block around the copy."""
        start, end = _end(copy), _end(read)
        for call, at in self.context.index.calls:
            if at.scope is stmt.scope and start < _end(call) < end and not self._is_quick(call, at.scope):
                return True
        blocks = (outer for outer in stmt.ancestors() if isinstance(outer.node, (ast.With, ast.AsyncWith)))
        return any(_end(outer.node) < end and not self._is_of_torch(outer) for outer in blocks)

    def _is_of_torch(self, block: Stmt) -> bool:
        items = block.node.items if isinstance(block.node, (ast.With, ast.AsyncWith)) else ()
        calls = [item.context_expr for item in items]
        return all(
            isinstance(c, ast.Call) and (block.scope.tree.qualname(c.func, block.scope) or "").startswith("torch.")
            for c in calls
        )

    def _is_quick(self, call: ast.Call, scope: Scope) -> bool:
        """Whether a call does not wait for a GPU: another copy in the background, a view, a size, a tensor that is made on the CPU."""
        if _option(call) is not None:
            return True
        name = scope.tree.qualname(call.func, scope)
        if name is not None:
            return torch_model.is_factory(name) and not may_give(call, "device")
        if not isinstance(call.func, ast.Attribute):
            return dotted(call.func) in ("len", "range", "isinstance")
        method = call.func.attr
        is_size = torch_model.is_answer(method) and not torch_model.reads_values(f"torch.Tensor.{method}")
        return method in ("numpy", "append") or is_size or torch_model.is_view(method)


def _option(call: ast.Call) -> ast.expr | None:
    """The literal True that lets a copy run in the background; None without it."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    given = argument_value(call, 1, "non_blocking") if name == "copy_" else keyword_value(call, "non_blocking")
    is_copy = name == "copy_" or name in api.PLACING
    return given if is_copy and is_literal(given, True) else None


def _runs_before(first: Stmt, second: Stmt) -> bool:
    """Whether a statement runs before another one whenever that runs; a `with` block runs once."""
    owner = first.suite.owner
    if owner is not None and isinstance(owner.node, (ast.With, ast.AsyncWith)) and not owner.holds(second):
        return _runs_before(owner, second)
    return dominates(first, second)


def _end(node: ast.expr | ast.stmt) -> tuple[int, int]:
    """The end of a node in the text: a call is made where its last argument has been evaluated."""
    return (node.end_lineno or node.lineno, node.end_col_offset or 0)
