"""Layers with parameters that a module makes at each call, and drops."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from placefix.facts.finding import Finding
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.program.assignments import assigned_name
from placefix.facts.program.ast_names import is_literal, keyword_value, may_give
from placefix.facts.program.ast_walk import parents
from placefix.prefilter.source_patterns import MAKES_LAYER
from placefix.rules.tensors.unplaced_modules import parametric_layer
from placefix.rules.tensors.unreached_code import doubt_of_use

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope

_MAKES_LAYER = re.compile(MAKES_LAYER)


def made_anew(context: AnalysisContext) -> Iterator[Finding]:
    """Layers with parameters that a module's ``forward`` makes and calls, and does nothing else with."""
    if "set_default_" in context.source.text:
        return
    for scope in list(context.tree.scopes.values()):
        forward = scope.functions.get("forward") if scope.is_class else None
        if (
            forward is None
            or not _MAKES_LAYER.search(context.tree.text(forward))
            or not context.get(ClassSummaries).of(scope).is_module
        ):
            continue
        around = parents(forward.node)
        for node in around:
            if isinstance(node, ast.Call) and _has_parameters(node, forward) and _only_called(node, around):
                yield Finding(context.span(node), context.text(node.func), doubt=doubt_of_use(context, scope))


def _has_parameters(call: ast.Call, scope: Scope) -> bool:
    """Whether a call makes a layer of torch with parameters, without a device."""
    plain = is_literal(keyword_value(call, "affine", "elementwise_affine"), False)
    return bool(parametric_layer(call.func, scope)) and not plain and not may_give(call, "device")


def _only_called(made: ast.Call, around: dict[ast.AST, ast.AST]) -> bool:
    """Whether the created object is called at once, or bound to a variable that is only called."""
    parent = around[made]
    if isinstance(parent, ast.Call):
        return parent.func is made
    name = assigned_name(parent)
    uses = [n for n in around if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]
    return bool(uses) and all(isinstance(call := around[n], ast.Call) and call.func is n for n in uses)
