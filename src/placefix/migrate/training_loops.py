"""The loops of a script that train: over the batches, and around them over the epochs."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.program.ast_walk import LOOPS
from placefix.migrate import obstacles
from placefix.migrate.observations import Observations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Frame, Obj
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.migrate.plan import Plan


class TrainingLoop(NamedTuple):
    """A loop over the batches of a loader in which an optimizer steps. epochs: the loop around it, None without one. callers: the
    statements that lead to it, the outermost first."""

    stmt: Stmt
    loader: Obj
    epochs: Stmt | None
    callers: tuple[Stmt, ...]


class TrainingLoops:
    """The training loops of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.seen = context.get(Observations)
        self.all: list[TrainingLoop] = []
        self.without: list[ast.expr] = []  # optimizer steps around which no loop over a loader is known
        for node, stack in self._steps():
            found = list(self._around(stack))
            if not found:
                self.without.append(node)
            self.all += [loop for loop in found if loop not in self.all]

    def _steps(self) -> Iterator[tuple[ast.expr, tuple[Frame, ...]]]:
        """The optimizer steps, by an optimizer or a GradScaler."""
        for event in self.seen.index.of_kind("state"):
            if event.what == "step" and event.obj.kind == "optimizer" and not event.again:
                yield event.node, event.stack
        for call, _ in self.context.index.called("step"):
            if call.args and "optimizer" in self.seen.kinds(call.args[0]):
                yield from ((call, sighting.stack) for sighting in self.seen.of(call))

    def _around(self, stack: tuple[Frame, ...]) -> Iterator[TrainingLoop]:
        """The innermost loop over a loader around an optimizer step, once for each loader."""
        for depth in range(len(stack) - 1, -1, -1):
            for stmt in stack[depth].stmt.ancestors():
                if not isinstance(stmt.node, ast.For):
                    continue
                callers = tuple(frame.stmt for frame in stack[:depth])
                loaders = {
                    loader
                    for loader, sighting in self.seen.loaders(stmt.node.iter)
                    if tuple(frame.stmt for frame in sighting.stack[:-1]) == callers
                }
                if loaders:
                    epochs = _outer_loop(stmt, stack[:depth])
                    yield from (TrainingLoop(stmt, loader, epochs, callers) for loader in loaders)
                    return

    def stop(self, plan: Plan) -> None:
        """Note why the training loops cannot be migrated."""
        if not self.all:
            plan.stop(None, obstacles.NO_TRAINING())
        for node in self.without:
            plan.stop(node, obstacles.NO_TRAINING())
        trained = {loop.loader for loop in self.all}
        for loop in self.all:
            assert isinstance(loop.stmt.node, ast.For)
            for loader, _ in self.seen.loaders(loop.stmt.node.iter):
                if loader not in trained:
                    plan.stop(loop.stmt, obstacles.LOADER_SHARED())
        for stmt in self.context.tree.stmts.values():
            if isinstance(stmt.node, ast.For) and not any(stmt is loop.stmt for loop in self.all):
                if trained & {loader for loader, _ in self.seen.loaders(stmt.node.iter)}:
                    plan.stop(stmt, obstacles.LOADER_SHARED())

    def evaluates(self, stmt: Stmt) -> bool:
        """Whether a statement is a loop over batches in which no optimizer steps."""
        if not isinstance(stmt.node, ast.For) or any(stmt is loop.stmt for loop in self.all):
            return False
        return any(True for _ in self.seen.loaders(stmt.node.iter))

    def runs(self, stmt: Stmt) -> bool:
        """Whether a statement is in a training loop, or in a function that one calls."""
        return self.holds(stmt) or stmt.scope in self._scopes

    @cached_property
    def _scopes(self) -> set[Scope]:
        """The functions that training loops call."""
        found: set[Scope] = set()
        for sightings in self.seen.seen.values():
            for sighting in sightings:
                for depth, frame in enumerate(sighting.stack[:-1]):
                    if self.holds(frame.stmt):
                        found.update(inner.stmt.scope for inner in sighting.stack[depth + 1 :])
        return found

    def holds(self, stmt: Stmt) -> bool:
        """Whether a statement is in a training loop."""
        return any(loop.stmt.holds(stmt) for loop in self.all)


def _outer_loop(stmt: Stmt, callers: tuple[Frame, ...]) -> Stmt | None:
    """The innermost loop around a statement, or around the calls that lead to it."""
    outer = [*stmt.ancestors()][1:]
    for frame in reversed(callers):
        outer += frame.stmt.ancestors()
    return next((one for one in outer if isinstance(one.node, LOOPS)), None)
