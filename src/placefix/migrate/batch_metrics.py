"""The numbers that training makes of a batch: losses and metrics of one process become those of all processes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Insert
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import walk
from placefix.migrate import obstacles
from placefix.migrate.batch_scale import BatchScales
from placefix.migrate.observations import Observations
from placefix.migrate.training_loops import TrainingLoops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.migrate.plan import Plan

_TO_NUMBER = frozenset(("item", "tolist", "numpy"))
_NUMBERS = frozenset(("float", "int", "bool"))
_FORMS = {"mean": "mean_of_processes", "sum": "sum_of_processes"}


class BatchMetrics:
    """The losses and metrics of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.seen = context.get(Observations)
        self.loops = context.get(TrainingLoops)
        self.scales = context.get(BatchScales)

    def plan(self, plan: Plan) -> None:
        """Reduce the numbers over the processes. Output statements have to be known before."""
        calls = self.context.index.calls
        for call, stmt in calls:
            if isinstance(call.func, ast.Attribute) and call.func.attr == "backward" and self._trains(call):
                self._require_mean(call.func.value, stmt.scope, plan)
        for call, stmt in calls:
            operand = _converted(call)
            if operand is not None and self.seen.is_tensor(operand) and self._follows_training(call, stmt):
                self._reduce(operand, stmt, plan)
        for stmt in self.context.tree.stmts.values():
            if self._runs_in_training(stmt):
                self._plan_statement(stmt, plan)

    def _trains(self, node: ast.expr) -> bool:
        """Whether an expression is evaluated in a training loop."""
        return any(sighting.is_in(loop.stmt) for loop in self.loops.all for sighting in self.seen.of(node))

    def _follows_training(self, node: ast.expr, stmt: Stmt) -> bool:
        """Whether an expression is evaluated in a training loop, or in the function of one below it."""
        below = (
            loop.stmt for loop in self.loops.all if loop.stmt.scope is stmt.scope and loop.stmt.number < stmt.number
        )
        return self._trains(node) or any(True for _ in below)

    def _runs_in_training(self, stmt: Stmt) -> bool:
        return self.loops.holds(stmt) or any(
            loop.stmt.scope is stmt.scope and loop.stmt.number < stmt.number for loop in self.loops.all
        )

    def _require_mean(self, loss: ast.expr, scope: Scope, plan: Plan) -> None:
        """Note a loss whose gradients would not be those of the whole batch when they are averaged."""
        scale = self.scales.of(loss, scope)
        if scale == "sum":
            plan.stop(loss, obstacles.LOSS_SUM())
        elif scale != "mean":
            plan.stop(loss, obstacles.LOSS_UNKNOWN(name=self.context.text(loss)))

    def _reduce(self, operand: ast.expr, stmt: Stmt, plan: Plan) -> None:
        """Reduce a tensor before it becomes a number."""
        scale = self.scales.of(operand, stmt.scope)
        if scale == "same":
            return
        name = self.context.text(operand)
        if scale not in _FORMS:
            if self._trains(operand):
                plan.stop(operand, obstacles.METRIC_UNKNOWN(name=name))
            return
        sightings = self.seen.of(operand)
        trained = [s for s in sightings if any(s.is_in(loop.stmt) for loop in self.loops.all)]
        if trained and len(trained) < len(sightings):
            plan.stop(operand, obstacles.METRIC_SHARED(name=name))
            return
        self._write(operand, _FORMS[scale], stmt, plan)

    def _write(self, operand: ast.expr, helper: str, stmt: Stmt, plan: Plan) -> None:
        """Write the call of a helper: in its place, or above a statement that runs in one process only."""
        plan.helpers[helper] = None
        text = f"{helper}({plan.text(operand)})"
        if not plan.is_barred(stmt):
            plan.replace(operand, text)
            return
        stem = dotted(operand).rpartition(".")[2] or "metric"
        name = plan.fresh(f"{stem}_of_all")
        if plan.replace(operand, name):
            plan.edits.append(Insert(self.context.span(stmt), f"{name} = {text}", "under"))

    def _plan_statement(self, stmt: Stmt, plan: Plan) -> None:
        """The tensors that a statement of a training loop keeps or shows, the counts that it adds up, and its test."""
        node = stmt.node
        if isinstance(node, (ast.If, ast.While)):
            if self.loops.holds(stmt) and self._is_batch_tensor(node.test, stmt.scope):
                plan.stop(node.test, obstacles.BATCH_DECIDES())
        elif plan.is_barred(stmt) and isinstance(node, ast.Expr):
            self._plan_shown(node.value, stmt, plan)
        elif isinstance(node, ast.AugAssign):
            for part in self._counts(node.value, stmt.scope):
                plan.replace(part, f"{plan.text(part)} * world_size")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            func = node.value.func
            if isinstance(func, ast.Attribute) and func.attr == "append" and len(node.value.args) == 1:
                self._plan_kept(node.value.args[0], stmt, plan)
        if isinstance(node, ast.Return) and node.value is not None and not stmt.scope.is_root:
            for part in node.value.elts if isinstance(node.value, ast.Tuple) else (node.value,):
                self._plan_kept(part, stmt, plan)

    def _plan_kept(self, value: ast.expr, stmt: Stmt, plan: Plan) -> None:
        """Reduce a tensor that is kept or returned."""
        if not self.seen.is_tensor(value):
            return
        scale = self.scales.of(value, stmt.scope)
        if scale in _FORMS:
            self._write(value, _FORMS[scale], stmt, plan)
        elif scale != "same":
            plan.stop(value, obstacles.METRIC_KEPT(name=self.context.text(value)))

    def _plan_shown(self, value: ast.expr, stmt: Stmt, plan: Plan) -> None:
        """Reduce the tensors that an output statement shows as they are, and multiply its counts."""
        for part in _operands(value):
            if self.seen.is_tensor(part) and not isinstance(part, ast.Call):
                scale = self.scales.of(part, stmt.scope)
                if scale in _FORMS:
                    self._write(part, _FORMS[scale], stmt, plan)
                elif scale != "same" and self._is_batch_tensor(part, stmt.scope):
                    plan.stop(part, obstacles.METRIC_UNKNOWN(name=self.context.text(part)))
        for part in self._counts(value, stmt.scope):
            plan.replace(part, f"{plan.text(part)} * world_size")

    def _counts(self, value: ast.expr, scope: Scope) -> Iterator[ast.expr]:
        """The numbers of samples of the batch in an expression."""
        for part in walk(value):
            if isinstance(part, (ast.Call, ast.Subscript, ast.Name)) and self.scales.of(part, scope) == "count":
                if not isinstance(part, ast.Call) or not _converted(part):
                    yield part

    def _is_batch_tensor(self, value: ast.expr, scope: Scope) -> bool:
        """Whether the truth of an expression is that of a tensor of the batch which no conversion reduces."""
        return any(
            isinstance(part, (ast.Name, ast.Attribute, ast.Call))
            and self.seen.is_tensor(part)
            and self.scales.of(part, scope) != "same"
            for part in _operands(value)
        )


def _converted(call: ast.Call) -> ast.expr | None:
    """The tensor that a call makes a number or an array of, None for other calls."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _TO_NUMBER and not call.args:
        return _plain(call.func.value)
    if isinstance(call.func, ast.Name) and call.func.id in _NUMBERS and len(call.args) == 1:
        return call.args[0]
    return None


def _plain(value: ast.expr) -> ast.expr:
    """A tensor without the moves to the host in front of a conversion."""
    while (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in ("cpu", "detach")
    ):
        value = value.func.value
    return value.value if isinstance(value, ast.Attribute) and value.attr == "data" else value


def _operands(value: ast.expr) -> Iterator[ast.expr]:
    """The parts of an expression, those in conversions and lengths left out."""
    todo: list[ast.AST] = [value]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else dotted(node.func)
            if _converted(node) is not None or name in ("len", "size", "dim", "numel"):
                continue
        if isinstance(node, ast.Attribute) and node.attr in ("shape", "device", "dtype", "grad"):
            continue
        if isinstance(node, ast.expr):
            yield node
        todo += ast.iter_child_nodes(node)
