"""The numbers that training makes of a batch: losses and metrics of one process become those of all processes."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.diagnostic import Insert
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import walk
from placefix.migrate import obstacles
from placefix.migrate.batch_scale import BatchScales
from placefix.migrate.observations import Observations
from placefix.migrate.training_loops import TrainingLoops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.tree import Scope, Stmt
    from placefix.migrate.plan import Plan

_TO_NUMBER = frozenset(("item", "tolist", "numpy"))
_NUMBERS = frozenset(("float", "int", "bool"))
# Modules whose functions return other values in each process.
_UNSHARED = ("time.", "datetime.", "random.", "numpy.random.", "secrets.", "uuid.")
_FORMS = {"mean": "mean_of_processes", "sum": "sum_of_processes"}


class BatchMetrics(FileAnalysis):
    """The losses and metrics of one file."""

    seen = requires(Observations)
    loops = requires(TrainingLoops)
    scales = requires(BatchScales)

    def plan(self, plan: Plan) -> None:
        """Reduce the numbers over the processes. Output statements have to be known before."""
        calls = self.context.index.calls
        for call, stmt in calls:
            if isinstance(call.func, ast.Attribute) and call.func.attr == "backward" and self._is_trained(call):
                self._require_mean(call.func.value, stmt, plan)
        for stmt in self.context.tree.stmts.values():
            if self._may_follow_training(stmt):
                self._plan_counts(stmt, plan)
        for call, stmt in calls:
            operand = _converted(call)
            # `.item()` is a method of tensors, also where nothing else shows one
            if operand is not None and (isinstance(call.func, ast.Attribute) or self._is_tensor(operand, stmt.scope)):
                if self._is_of_training(operand, stmt, plan):
                    self._reduce(operand, stmt, plan)
        for stmt in self.context.tree.stmts.values():
            if self._may_follow_training(stmt):
                self._plan_statement(stmt, plan)

    def _is_trained(self, node: ast.expr) -> bool:
        """Whether an expression is evaluated in a training loop."""
        return any(sighting.is_in(loop.stmt) for loop in self.loops.all for sighting in self.seen.of(node))

    def _may_follow_training(self, stmt: Stmt) -> bool:
        """Whether a statement is in a training loop, or below one in its function."""
        return self.loops.runs(stmt) or any(
            loop.stmt.scope is stmt.scope and loop.stmt.number < stmt.number for loop in self.loops.all
        )

    def _is_of_training(self, node: ast.expr, stmt: Stmt, plan: Plan) -> bool:
        """Whether an expression is of a training batch: evaluated in a training loop, or below one of names that only it binds."""
        if self._is_trained(node):
            return True
        if not self._may_follow_training(stmt) or any(self.loops.evaluates(outer) for outer in stmt.ancestors()):
            return False
        texts = {dotted(part) for part in walk(node) if isinstance(part, (ast.Name, ast.Attribute))} - {""}
        writes = [
            write.stmt for text in texts for write in self.context.index.written(text) if write.stmt.scope is stmt.scope
        ]
        trained = [write for write in writes if self.loops.holds(write)]
        if trained and any(self.loops.evaluates(outer) for write in writes for outer in write.ancestors()):
            plan.stop(node, obstacles.METRIC_SHARED(name=self.context.text(node)))
            return False
        return bool(trained)

    def _is_tensor(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an expression is a tensor, at least once one has been added to it: an accumulator that begins as 0."""
        if self.seen.is_tensor(node):
            return True
        if isinstance(node, ast.BinOp):
            return self._is_tensor(node.left, scope) or self._is_tensor(node.right, scope)
        writes = self.context.index.written(dotted(node)) if dotted(node) else ()
        values = [getattr(write.stmt.node, "value", None) for write in writes if write.stmt.scope is scope]
        return any(isinstance(value, ast.expr) and self.seen.is_tensor(value) for value in values)

    def _is_shown(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an expression is a tensor with a name, or a sum of such."""
        return isinstance(node, (ast.Name, ast.Attribute)) and self._is_tensor(node, scope)

    def _require_mean(self, loss: ast.expr, stmt: Stmt, plan: Plan) -> None:
        """Note a loss whose gradients would not be those of the whole batch when they are averaged."""
        scale = self.scales.of(loss, stmt)
        if scale == "sum":
            plan.stop(loss, obstacles.LOSS_SUM())
        elif scale != "mean":
            plan.stop(loss, obstacles.LOSS_UNKNOWN(name=self.context.text(loss)))

    def _reduce(self, operand: ast.expr, stmt: Stmt, plan: Plan) -> None:
        """Reduce a tensor before it becomes a number."""
        scale = self.scales.of(operand, stmt)
        if scale == "same":
            return
        name = self.context.text(operand)
        if scale not in _FORMS:
            reason = obstacles.METRIC_EACH if scale in ("each", "column") else obstacles.METRIC_UNKNOWN
            plan.stop(operand, reason(name=name))
            return
        sightings = self.seen.of(operand)
        trained = [s for s in sightings if any(s.is_in(loop.stmt) for loop in self.loops.all)]
        if trained and len(trained) < len(sightings):
            plan.stop(operand, obstacles.METRIC_SHARED(name=name))
            return
        self._write(operand, _FORMS[scale], stmt, plan)

    def _write(self, operand: ast.expr, helper: str, stmt: Stmt, plan: Plan) -> None:
        """Write the call of a helper: in its place, or above a statement that runs in one process only."""
        stmts = {stmt, *(frame.stmt for sighting in self.seen.of(operand) for frame in sighting.stack)}
        tests = ((test, one.scope) for one in sorted(stmts, key=lambda one: one.number) for test in _tests_around(one))
        test = next((test for test, scope in tests if self._may_differ(test, scope, set())), None)
        if test is not None:
            plan.stop(test, obstacles.CLOCK_DECIDES())
            return
        plan.helpers[helper] = None
        text = f"{helper}({plan.text(operand)})"
        if not plan.is_barred(stmt):
            plan.replace(operand, text)
            return
        stem = dotted(operand).rpartition(".")[2] or "metric"
        name = plan.fresh(f"{stem}_of_all")
        if plan.replace(operand, name):
            plan.edits.append(Insert(self.context.span(stmt), f"{name} = {text}", "under"))

    def _may_differ(self, node: ast.expr, scope: Scope, known: set[str]) -> bool:
        """Whether a value is one of the clock or of a random number, which the processes do not share."""
        for part in walk(node):
            name = self.context.tree.qualname(part.func, scope) if isinstance(part, ast.Call) else None
            if name is not None and (name.startswith(_UNSHARED) or torch_model.is_random(name)):
                return True
            text = dotted(part) if isinstance(part, (ast.Name, ast.Attribute)) else ""
            if text and text not in known:
                known.add(text)
                writes = [w for w in self.context.index.written(text) if w.value is not None and w.stmt.scope is scope]
                if any(self._may_differ(w.value, scope, known) for w in writes if w.value is not None):
                    return True
        return False

    def _plan_statement(self, stmt: Stmt, plan: Plan) -> None:
        """The tensors that a statement of a training loop keeps or shows, and its test."""
        node = stmt.node
        if isinstance(node, (ast.If, ast.While)):
            if self.loops.holds(stmt) and self._is_batch_tensor(node.test, stmt):
                plan.stop(node.test, obstacles.BATCH_DECIDES())
        elif plan.is_barred(stmt) and isinstance(node, ast.Expr):
            self._plan_shown(node.value, stmt, plan)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            func = node.value.func
            kept = (
                isinstance(func, ast.Attribute) and func.attr == "append" and not self._is_local(func.value, stmt.scope)
            )
            if kept and len(node.value.args) == 1:
                self._plan_kept(node.value.args[0], stmt, plan)
        elif isinstance(node, ast.Return) and node.value is not None and stmt.scope in self._training_scopes:
            for part in node.value.elts if isinstance(node.value, ast.Tuple) else (node.value,):
                self._plan_kept(part, stmt, plan)

    def _is_local(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an expression is a name of a function that runs within a step: its value reaches training by the function's result."""
        owner = scope.lookup(node.id) if isinstance(node, ast.Name) else None
        return owner is scope and scope.is_function and scope not in self._training_scopes

    @cached_property
    def _training_scopes(self) -> set[Scope]:
        """The functions that have a training loop."""
        return {loop.stmt.scope for loop in self.loops.all}

    def _plan_counts(self, stmt: Stmt, plan: Plan) -> None:
        """Let the numbers of samples in a statement be those of the whole batch, where they are added up, shown, or used with numbers that
        are reduced."""
        node = stmt.node
        if (isinstance(node, ast.Expr) and plan.is_barred(stmt)) or isinstance(node, ast.AugAssign):
            values, alone = [node.value], True
        elif isinstance(node, (ast.Assign, ast.Expr, ast.Return, ast.AnnAssign)) and node.value is not None:
            values, alone = [node.value], False
        else:
            return
        for value in values:
            for part in self._counts(value, stmt, alone):
                if self._is_of_training(part, stmt, plan):
                    plan.replace(part, f"{self.context.text(part)} * world_size")

    def _counts(self, value: ast.expr, stmt: Stmt, alone: bool) -> Iterator[ast.expr]:
        """The numbers of samples in an expression. alone: also those that no reduced number is multiplied or divided with."""
        todo: list[tuple[ast.AST, ast.expr | None]] = [(value, None)]
        while todo:
            node, other = todo.pop()
            if isinstance(node, (ast.Call, ast.Subscript, ast.Name)) and self._is_count(node, stmt):
                number = other is not None and not self._is_tensor(other, stmt.scope)
                if (alone and (other is None or number)) or (
                    number and other is not None and self.scales.of(other, stmt) in _FORMS
                ):
                    yield node
            elif isinstance(node, ast.BinOp):
                todo += [(node.left, node.right), (node.right, node.left)]
            elif not isinstance(node, ast.Call) or alone:
                todo += [(child, None) for child in ast.iter_child_nodes(node)]

    def _is_count(self, node: ast.expr, stmt: Stmt) -> bool:
        """Whether an expression is the number of samples of a batch; a name, if it is bound to that and not added up."""
        if self.scales.of(node, stmt) != "count":
            return False
        writes = self.context.index.written(dotted(node)) if isinstance(node, ast.Name) else ()
        return not any(isinstance(write.stmt.node, ast.AugAssign) for write in writes)

    def _plan_kept(self, value: ast.expr, stmt: Stmt, plan: Plan) -> None:
        """Reduce a tensor that is kept or returned."""
        if not self._is_tensor(value, stmt.scope) or not self._is_of_training(value, stmt, plan):
            return
        scale = self.scales.of(value, stmt)
        if scale in _FORMS:
            self._write(value, _FORMS[scale], stmt, plan)
        elif scale != "same":
            plan.stop(value, obstacles.METRIC_KEPT(name=self.context.text(value)))

    def _plan_shown(self, value: ast.expr, stmt: Stmt, plan: Plan) -> None:
        """Reduce the tensors that an output statement shows as they are."""
        for part in _operands(value):
            if self._is_shown(part, stmt.scope) and self._is_of_training(part, stmt, plan):
                scale = self.scales.of(part, stmt)
                if scale in _FORMS:
                    self._write(part, _FORMS[scale], stmt, plan)
                elif scale != "same":
                    plan.stop(part, obstacles.METRIC_UNKNOWN(name=self.context.text(part)))

    def _is_batch_tensor(self, value: ast.expr, stmt: Stmt) -> bool:
        """Whether the truth of an expression is that of a tensor of the batch which no conversion reduces."""
        return any(
            isinstance(part, (ast.Name, ast.Attribute, ast.Call))
            and self._is_tensor(part, stmt.scope)
            and self.scales.of(part, stmt) != "same"
            for part in _operands(value)
        )


def _tests_around(stmt: Stmt) -> Iterator[ast.expr]:
    """The tests under which a statement runs in its function."""
    for outer in stmt.ancestors():
        if outer is not stmt and isinstance(outer.node, (ast.If, ast.While)):
            yield outer.node.test


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
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr in ("cpu", "detach", "numpy")
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
