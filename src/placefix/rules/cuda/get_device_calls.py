"""Tensors with a call of ``get_device()``: ``y.to(x.get_device())``. On the CPU the result is -1, which is no device."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.diagnostic import Replace
from placefix.facts.finding import Finding
from placefix.facts.program.assignments import only_target
from placefix.facts.program.ast_names import keyword_value
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.is_cuda_guards import device_of
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Stmt

_TAKE_ONE = ("to", "cuda")  # methods whose first argument is where to


def numbers(context: AnalysisContext) -> Iterator[Finding]:
    """Every ``x.get_device()`` that is used as a device, at once or under a name that is used for nothing else; none where
    a test for a GPU comes first."""
    for call, stmt in context.index.called("get_device"):
        if not isinstance(call.func, ast.Attribute) or call.args or call.keywords:
            continue
        site = context.get(Cuda).site("call", call, stmt)
        if site.guard is not None or context.get(Intents).of(site) or context.get(Refusals).fallback(stmt):
            continue
        if not (_is_device(context, call, stmt, "to") or _named(context, call, stmt)):
            continue
        device, premise = device_of(context, call.func.value, stmt)
        if device and not premise:  # the result is proven to be a device only for a tensor
            edit = Replace(context.span(call), device, context.text(call))
            yield Finding(context.span(call), f"`{context.text(call)}`", (edit,), device=device)


def _is_device(context: AnalysisContext, expr: ast.expr, stmt: Stmt, *methods: str) -> bool:
    """Whether an expression is a destination: ``y.to(…)``, or ``device=…`` of a function of torch. ``y.cuda(…)`` is reported by PF401."""
    for call, where in context.index.calls:
        if where is not stmt:
            continue
        func = call.func
        if isinstance(func, ast.Attribute) and func.attr in methods and call.args and call.args[0] is expr:
            return True
        told = keyword_value(call, "device") is expr
        if told and (
            torch_model.is_factory(context.tree.qualname(func, stmt.scope))
            or getattr(func, "attr", "").startswith("new_")
        ):
            return True
    return False


def _named(context: AnalysisContext, call: ast.Call, stmt: Stmt) -> bool:
    """Whether the result gets a name that is a destination at each read."""
    target, scope = only_target(stmt.node), stmt.scope
    if not isinstance(target, ast.Name) or getattr(stmt.node, "value", None) is not call:
        return False
    name = target.id
    if not scope.is_function or len(scope.bindings.get(name, ())) != 1:
        return False
    reads = [(e, s) for e, s in context.index.read(name) if s.scope.lookup(name) is scope and e is not target]
    return bool(reads) and all(_is_device(context, e, s, *_TAKE_ONE) for e, s in reads)
