"""The edit that moves a tensor, and code that moves tensors by itself."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.diagnostic import Replace, Span
from placefix.facts.naming import last, mentions_device, mentions_move, mentions_scattering
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import dotted, last_name
from placefix.facts.program.ast_walk import header, walk
from placefix.facts.program.statement_forms import is_main_guard
from placefix.rules.cuda.tensor_creation import TensorCreation

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.source import Source

# They yield batches that are on the device already; `prefetch_factor` of a DataLoader does not.
_YIELDS_MOVED = re.compile(r"ccelerat|prefetch(?!_factor)|\.prepare\(")


def makes_its_tensors(node: ast.expr, scope: Scope) -> bool:
    """Whether an expression makes its tensors itself, so that nothing else can have them: ``torch.zeros(1) + 1``."""
    if isinstance(node, ast.BinOp):
        return all(isinstance(o, ast.Constant) or makes_its_tensors(o, scope) for o in (node.left, node.right))
    if not isinstance(node, ast.Call):
        return False
    if torch_model.is_factory(scope.tree.qualname(node.func, scope)):
        return True
    return isinstance(node.func, ast.Attribute) and makes_its_tensors(node.func.value, scope)


def scatters(context: AnalysisContext) -> bool:
    """Whether code may scatter batches, or get batches that are moved already."""
    return context.get(scatters_inputs) or context.get(yields_moved)


def scatters_inputs(context: AnalysisContext) -> bool:
    """Whether code may scatter the inputs of a model in every run on a GPU; its targets stay where they are. A model that is wrapped
    under a test, ``if torch.cuda.device_count() > 1:``, is called with batches as they are in the other runs."""
    if not mentions_scattering(context.source.text):
        return False
    called = [(call, stmt) for call, stmt in context.index.calls if mentions_scattering(last(dotted(call.func)))]
    return not called or any(not _may_be_skipped(context, call, stmt) for call, stmt in called)


def _may_be_skipped(context: AnalysisContext, call: ast.Call, stmt: Stmt) -> bool:
    """Whether a run on a GPU may come by a wrap without it: it is under a test of something else than the presence of a device, and no
    other arm of the test wraps."""
    tests: list[ast.If | ast.IfExp] = [
        part for node in header(stmt.node) for part in walk(node)
        if isinstance(part, ast.IfExp) and any(call is inner for arm in (part.body, part.orelse) for inner in walk(arm))
    ]  # fmt: skip
    around = [one.node for one in stmt.ancestors() if not is_main_guard(one)]
    tests += [node for node in around if isinstance(node, ast.If)]
    return any(_chooses(context, test) and not _wraps_in_each_arm(test) for test in tests)


def _chooses(context: AnalysisContext, node: ast.If | ast.IfExp) -> bool:
    """Whether a test has another answer for some runs on a GPU: it compares a number, or is not about devices."""
    counts = (
        isinstance(part, ast.Compare)
        and any(isinstance(c, ast.Constant) and isinstance(c.value, int) for c in part.comparators)
        for part in walk(node.test)
    )
    return any(counts) or not mentions_device(context.text(node.test))


def _wraps_in_each_arm(node: ast.If | ast.IfExp) -> bool:
    """Whether both arms of a test wrap a model."""
    arms = (node.body, node.orelse) if isinstance(node, ast.If) else ([node.body], [node.orelse])
    return all(
        any(
            isinstance(part, ast.Call) and mentions_scattering(last(dotted(part.func)))
            for one in arm
            for part in walk(one)
        )
        for arm in arms
    )  # fmt: skip


def yields_moved(context: AnalysisContext) -> bool:
    """Whether code may get batches that are on the device already."""
    return _YIELDS_MOVED.search(context.source.text) is not None


def placed(context: AnalysisContext, node: ast.expr, stmt: Stmt, device: str) -> tuple[Replace, ...]:
    """The edits with which an expression of `stmt`, whose tensor fails on the CPU beside one on `device`, gives it there: the call that
    creates it gets `device=`, unless it draws random numbers; else the result is moved."""
    created = () if device.startswith(".") else context.get(TensorCreation).on_device(node, stmt, device, rounded=True)
    return created or (moved(context.source, node, device),)


def moved(source: Source, node: ast.expr, device: str) -> Replace:
    """``expression`` becomes ``expression.to(device)``, in parentheses where it needs them."""
    span = source.span(node)
    text = source.segment(span)
    call = device if device.endswith("()") and device.startswith(".") else f".to({device})"
    if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        return Replace(span, text + call, text)
    before, after = source.text[: span.start].rstrip(" "), source.text[span.end :].lstrip(" ")
    grouped = before.endswith("(") and after.startswith(")") and not re.search(r"[\w)\]]\s*\($", before[-40:])
    if grouped:  # the parentheses exist already
        span = Span(len(before) - 1, len(source.text) - len(after) + 1)
        text = source.segment(span)
        return Replace(span, text + call, text)
    return Replace(span, f"({text}){call}", text)


def _each_moved(name: str, value: ast.expr | None) -> tuple[str, ast.expr | None]:
    """What an assigned value moves, and how: for a comprehension or a ``map`` over the parts of `name` each part, else `name` itself."""
    if isinstance(value, ast.Call) and dotted(value.func) in ("tuple", "list") and len(value.args) == 1:
        value = value.args[0]
    if isinstance(value, (ast.ListComp, ast.GeneratorExp)) and dotted(value.generators[0].iter) == name:
        return dotted(value.generators[0].target), value.elt
    if isinstance(value, ast.Call) and dotted(value.func) == "map" and len(value.args) == 2:
        each, of = value.args
        if isinstance(each, ast.Lambda) and len(each.args.args) == 1 and dotted(of) == name:
            return each.args.args[0].arg, each.body
    return name, value


def moved_alike(node: ast.stmt, move: ast.Call, *, helpers: bool = False) -> str:
    """The name that an assignment moves as `move` moves another one: ``y`` of ``y = y.to(device)``, or of
    ``y = [part.to(device) for part in y]``, also with ``map``; "" for others. helpers: also of ``y = to_device(y, device)``, by the name."""
    name = assigned_text(node)
    moved, value = _each_moved(name, getattr(node, "value", None))
    if helpers and isinstance(value, ast.Call) and mentions_move(last_name(value.func)) and len(value.args) == 2:
        to = [*map(ast.dump, move.args)]
        return name if dotted(value.args[0]) == moved and [ast.dump(value.args[1])] == to else ""
    if not (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and isinstance(move.func, ast.Attribute)
    ):
        return ""
    is_same = value.func.attr == move.func.attr and ast.dump(ast.Tuple(value.args)) == ast.dump(ast.Tuple(move.args))
    keywords = [[ast.dump(k) for k in call.keywords] for call in (value, move)]
    return name if is_same and keywords[0] == keywords[1] and moved == dotted(value.func.value) else ""
