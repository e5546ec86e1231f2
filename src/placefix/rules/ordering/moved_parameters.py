"""Parameters that are moved after their construction: the result of the move is no Parameter."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.diagnostic import Replace, Span
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.program.ast_names import dotted, is_literal, keyword_value, may_give

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Stmt

_PARAMETER = frozenset({"torch.nn.Parameter", "torch.nn.parameter.Parameter"})
_MAX_DEPTH = 4
_SIMPLE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


class MovedParameter(NamedTuple):
    """``nn.Parameter(x).to(d)``: the whole call, its text, and the edit to ``nn.Parameter(x.to(d))``. made_on_host: `x` is shown to be
    made on the CPU; trained: the Parameter is one to train (no ``requires_grad=False``)."""

    span: Span
    text: str
    edit: Replace
    made_on_host: bool
    trained: bool


def moved_parameters(context: AnalysisContext) -> Iterator[MovedParameter]:
    """Calls that move a Parameter where it is made, to anything but the CPU."""
    for call, stmt in context.index.called("to", "cuda"):
        func = call.func
        if not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Call):
            continue
        made = func.value
        data = _data(made) if context.tree.qualname(made.func, stmt.scope) in _PARAMETER else None
        if data is None:
            continue
        if func.attr == "to" and (
            not call.args or "cpu" in context.text(call.args[0]) or context.text(call.args[0]).startswith("torch.float")
        ):
            continue
        if _stays(call, data) or (_is_constant(made) and not _in_module(context, stmt)):
            continue
        span, value, inner = context.span(call), context.span(data), context.span(made)
        text, tensor = context.text(call), context.text(data)
        move = context.source.text[inner.end : span.end]
        tensor = tensor if isinstance(data, _SIMPLE) else f"({tensor})"
        before, after = context.source.text[span.start : value.start], context.source.text[value.end : inner.end]
        edit = Replace(span, f"{before}{tensor}{move}{after}", text)
        on_host, trained = _on_host(context, data, stmt), not _is_constant(made)
        yield MovedParameter(span, context.text(made.func), edit, on_host, trained)


def _data(made: ast.Call) -> ast.expr | None:
    """The tensor that a Parameter is made of: its first argument, or ``data=``."""
    if made.args:
        return None if isinstance(made.args[0], ast.Starred) else made.args[0]
    return keyword_value(made, "data")


def _on_host(context: AnalysisContext, value: ast.expr, stmt: Stmt, depth: int = 0) -> bool:
    """Whether an expression makes a tensor on the CPU: by a factory without a device, initialised and reshaped at most."""
    if isinstance(value, ast.Name) and depth < _MAX_DEPTH:
        bound = context.index.values(stmt.scope, value.id)
        alone = len(bound) == len(context.index.binding(stmt.scope, value.id)) == 1
        return alone and bound[0].value is not None and _on_host(context, bound[0].value, stmt, depth + 1)
    if isinstance(value, ast.BinOp):  # both operands must be on one device
        return any(_on_host(context, side, stmt, depth) for side in (value.left, value.right))
    return isinstance(value, ast.Call) and _made_on_host(context, value, stmt, depth)


def _made_on_host(context: AnalysisContext, call: ast.Call, stmt: Stmt, depth: int) -> bool:
    """Whether the result of a call is a tensor on the CPU: of a factory, or of a function or method of such a tensor."""
    if may_give(call, "device"):
        return False
    name = context.tree.qualname(call.func, stmt.scope) or ""
    if torch_model.fills(name) or (torch_model.is_factory(name) and not torch_model.takes_device(name)):
        return True
    given = next(iter((*call.args, *(k.value for k in call.keywords if k.arg in ("tensor", "input")))), None)
    if name == "torch.tensor":
        return isinstance(given, (ast.List, ast.Tuple, ast.Constant))
    if not name and isinstance(call.func, ast.Attribute):
        return torch_model.stays(call.func.attr) and _on_host(context, call.func.value, stmt, depth)
    # also an initialiser that is called by a short name: ``uniform_(tensor=torch.zeros(3))``
    short = dotted(call.func).endswith("_")
    keeps = name.startswith("torch.nn.init.") or torch_model.computes_tensor(name) or short
    return keeps and given is not None and _on_host(context, given, stmt, depth)


def keeps_moved(context: AnalysisContext, move: ast.Call, stmt: Stmt) -> bool:
    """Whether a module keeps the result of moving a Parameter: directly, or of a Parameter that a name of the function holds
    (``w = Parameter(x)``, ``self.w = w.cuda()``). On a device the result is no Parameter."""
    if context.span(move) in {found.span for found in moved_parameters(context)}:
        return True
    node, func = stmt.node, move.func
    held = func.value if isinstance(func, ast.Attribute) else None
    if not isinstance(node, ast.Assign) or node.value is not move or not isinstance(held, ast.Name):
        return False
    if not any(isinstance(target, ast.Attribute) for target in node.targets) or not _in_module(context, stmt):
        return False
    written = (w.value for w in context.index.values(stmt.scope, held.id))
    return any(
        isinstance(value, ast.Call) and context.tree.qualname(value.func, stmt.scope) in _PARAMETER for value in written
    )


def _stays(move: ast.Call, value: ast.expr) -> bool:
    """Whether the destination is the device of the tensor: ``Parameter(p.data.float()).to(p.device)``."""
    to = move.args[0] if move.args else None
    if not isinstance(to, ast.Attribute) or to.attr != "device" or not dotted(to.value):
        return False
    while dotted(value) != dotted(to.value):
        if isinstance(value, ast.Call):
            value = value.func
            if not isinstance(value, ast.Attribute) or not torch_model.stays(value.attr):
                return False
        if not isinstance(value, (ast.Attribute, ast.Subscript)):
            return False
        value = value.value
    return True


def _is_constant(made: ast.Call) -> bool:
    """Whether the Parameter is one that is not trained, by a literal."""
    trained = keyword_value(made, "requires_grad")
    return is_literal(trained, False)


def _in_module(context: AnalysisContext, stmt: Stmt) -> bool:
    """Whether a class of modules surrounds the statement, and would register the Parameter."""
    cls = stmt.scope.class_around
    return cls is not None and context.get(ClassSummaries).of(cls).is_module
