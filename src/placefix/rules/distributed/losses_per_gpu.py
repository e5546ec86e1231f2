"""Losses that a module computes under DataParallel: one for each GPU."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace
from placefix.facts import reasons
from placefix.facts import torch_api as api
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.ast_names import called_name, dotted, has_name, may_give
from placefix.facts.program.ast_walk import walk
from placefix.rules.ordering.wraps import device_ids

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import ClassInfo, Event, Obj
    from placefix.facts.program.tree import Scope, Stmt

_FUNCTIONAL = "torch.nn.functional."
_LOSSES = frozenset(
    ("cross_entropy", "binary_cross_entropy", "binary_cross_entropy_with_logits", "kl_div")
)  # the others end with _loss
_REDUCTIONS = ("mean", "sum")
_MAX_DEPTH = 6


class LossesPerGpu:
    """PF414 for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self._reductions: set[str] = set()  # of the losses that one `forward` adds up

    def found(self) -> Iterator[Finding]:
        """The calls of a DataParallel whose result is a loss without a dimension, on which `backward` is called. names: the loss."""
        seen = set()
        for event in self.context.get(Flow).index.of_kind("call"):
            if not event.obj.is_wrapper or event.obj.wrap != api.DATA_PARALLEL or event.node in seen:
                continue
            seen.add(event.node)
            if self._has_one_device(event.obj):
                continue
            info = event.obj.root().cls
            forward = info.methods.get("forward") if info is not None else None
            name = self._kept_as(event)
            self._reductions.clear()
            if info is None or forward is None or not name or not self._returns_loss(forward, info):
                continue
            span, code = self.context.span(event.node), self.context.text(event.node)
            if len(self._reductions) > 1:
                yield Finding(span, names=(name, ""), why_not=reasons.REDUCTIONS_DIFFER())
                continue
            (reduction,) = self._reductions
            yield Finding(span, names=(name, reduction), edits=(Replace(span, f"{code}.{reduction}()", code),))

    def _has_one_device(self, wrapper: Obj) -> bool:
        """Whether a DataParallel may have one device, and so return the result of its module."""
        wrap = next((e for e in self.context.get(Flow).index.of_kind("wrap") if e.node is wrapper.origin), None)
        ids = device_ids(wrap) if wrap is not None else None
        return ids is not None and not (isinstance(ids, (ast.List, ast.Tuple)) and len(ids.elts) > 1)

    def _kept_as(self, event: Event) -> str:
        """The name that the result of a call has, and no other value, if its `backward` is called; "" for any other."""
        node, scope = event.stmt.node, event.stmt.scope
        if not isinstance(node, ast.Assign) or node.value is not event.node or len(node.targets) != 1:
            return ""
        name = node.targets[0].id if isinstance(node.targets[0], ast.Name) else ""
        if not name or len(self.context.index.values(scope, name)) != 1 or scope.declares(name):
            return ""
        if any(_asks(stmt, name) for stmt in self.context.tree.stmts.values() if stmt.scope is scope):
            return ""
        calls = self.context.index.called("backward")
        ours = [call for call, stmt in calls if stmt.scope is scope and dotted(call.func) == f"{name}.backward"]
        given = any(call.args or may_give(call, "gradient") for call in ours)
        return name if ours and not given else ""

    def _returns_loss(self, forward: Scope, info: ClassInfo) -> bool:
        """Whether each value that a method returns is a loss of all its items."""
        returned = [node.value for node in forward.tree.returns.get(forward, ())]
        return bool(returned) and all(v is not None and self._is_scalar(v, forward, info, 0) for v in returned)

    def _is_scalar(self, value: ast.expr, scope: Scope, info: ClassInfo, depth: int) -> bool:
        """Whether an expression of a method is a tensor without a dimension."""
        if depth > _MAX_DEPTH:
            return False
        if isinstance(value, ast.Call):
            return self._is_loss(value, scope, info)
        if isinstance(value, ast.BinOp):
            parts = [part for part in (value.left, value.right) if not isinstance(part, ast.Constant)]
            return bool(parts) and all(self._is_scalar(part, scope, info, depth + 1) for part in parts)
        if isinstance(value, ast.Name) and scope.tree is self.context.tree:
            writes = self.context.index.values(scope, value.id)
            bound = len(writes) == len(scope.bindings.get(value.id, ())) and writes
            return bool(bound) and all(
                w.value is not None and self._is_scalar(w.value, scope, info, depth + 1) for w in writes
            )
        return False

    def _is_loss(self, call: ast.Call, scope: Scope, info: ClassInfo) -> bool:
        """Whether a call reduces everything to one number: a loss of torch, or ``x.mean()``."""
        name = scope.tree.qualname(call.func, scope) or ""
        if name.startswith(_FUNCTIONAL):
            short = name[len(_FUNCTIONAL) :]
            return (short in _LOSSES or short.endswith("_loss")) and self._reduces(call)
        if isinstance(call.func, ast.Attribute) and call.func.attr in _REDUCTIONS:
            self._reductions.add(call.func.attr)
            return not name and not call.args and not call.keywords
        text = dotted(call.func)
        if not text.startswith("self.") or not api.is_loss(info.layers.get(called_name(call), "")):
            return False
        made = [write.value for write in self.context.index.written(text) if write.stmt.scope.parent is info.scope]
        return bool(made) and all(isinstance(value, ast.Call) and self._reduces(value) for value in made)

    def _reduces(self, call: ast.Call) -> bool:
        """Whether a loss, or the constructor of one, keeps the reduction to one number."""
        reduction: object = "mean"
        for keyword in call.keywords:
            if keyword.arg == "reduction":
                reduction = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
            elif keyword.arg in (None, "reduce", "size_average"):
                return False
        if reduction not in _REDUCTIONS:
            return False
        self._reductions.add(str(reduction))
        return True


def _asks(stmt: Stmt, name: str) -> bool:
    """Whether a statement decides something by a value."""
    tests = [part.test for part in walk(stmt.node) if isinstance(part, (ast.If, ast.IfExp, ast.While, ast.Assert))]
    return any(has_name(test, name) for test in tests)
