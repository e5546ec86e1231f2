"""Whether a tensor certainly has a dimension: a 0-dim tensor of the CPU can be used with tensors on any device."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret.tensors import dimensions

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Stmt

    # The values that a name may have at a statement, each with its statement; None for a value of another kind of binding.
    Origins = Callable[[str, Stmt], list[tuple[ast.expr | None, Stmt]]]

_DEEPEST = 8  # names that a value is followed through
# Operators whose result has a dimension if their operand has one.
_KEEPS_DIMENSION = frozenset(("keeps", "input", "sizes", "adds"))


class Dimensions:
    """The dimensions of the tensors of one file, as far as the code shows them."""

    def __init__(self, context: AnalysisContext, origins: Origins) -> None:
        self.context = context
        self._origins = origins

    def are_shown(self, expr: ast.expr, stmt: Stmt, depth: int) -> bool:
        """Whether a tensor is certainly not 0-dim."""
        if depth > _DEEPEST:
            return False
        if isinstance(expr, ast.Name):
            found = self._origins(expr.id, stmt)
            return bool(found) and all(v is None or self.are_shown(v, where, depth + 1) for v, where in found)
        if isinstance(expr, ast.BinOp):
            return any(self.are_shown(e, stmt, depth + 1) for e in (expr.left, expr.right))
        if isinstance(expr, ast.UnaryOp):
            return self.are_shown(expr.operand, stmt, depth + 1)
        return isinstance(expr, ast.Call) and self._of_call(expr, stmt, depth)

    def _of_call(self, call: ast.Call, stmt: Stmt, depth: int) -> bool:
        name = self.context.tree.qualname(call.func, stmt.scope) or ""
        if torch_model.is_factory(name):
            first = call.args[0] if call.args else None
            return dimensions(name, call) > 0 or _is_sized(name.rpartition(".")[2], first)
        if not name and isinstance(call.func, ast.Attribute):
            operator = torch_model.method(call.func.attr)
            if operator is None or operator.rank not in _KEEPS_DIMENSION:
                return False
            sized = operator.rank == "adds" or (operator.rank == "sizes" and bool(call.args))
            return sized or self.are_shown(call.func.value, stmt, depth + 1)
        operator = torch_model.function(name)
        if operator is not None and operator.rank == "adds":
            return True
        return name == api.VARIABLE and bool(call.args) and self.are_shown(call.args[0], stmt, depth + 1)


def _is_sized(factory: str, first: ast.expr | None) -> bool:
    """Whether a factory of torch makes more than a 0-dim tensor, by its first argument: a size that is a number, items in a list."""
    if factory == "tensor":
        return isinstance(first, (ast.List, ast.Tuple, ast.ListComp))
    operator = torch_model.function(f"torch.{factory}")
    if operator is None or operator.rank != "sizes":
        return False
    if isinstance(first, ast.Call):
        return isinstance(first.func, ast.Name) and first.func.id in ("len", "int")
    return isinstance(first, ast.Constant) and isinstance(first.value, int)
