"""The values of all expressions of a script, with the calls that lead to each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.interpret.attribute_writes import AttributeStores
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.events import ways
from placefix.facts.interpret.trace import Observer

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Frame, Obj, Place
    from placefix.facts.program.tree import Scope, Stmt


class Sighting(NamedTuple):
    """A value that an expression had. place: its device then. stack: the statements that ran, the innermost last."""

    value: Obj
    place: Place
    stack: tuple[Frame, ...]

    def is_in(self, stmt: Stmt) -> bool:
        """Whether it was computed in a statement, or in a function that the statement calls."""
        return any(stmt.holds(frame.stmt) for frame in self.stack)


class Observations(Observer):
    """Runs the file of a context as `Flow` does, with every function, and records the value of each expression."""

    def __init__(self, context: AnalysisContext) -> None:
        self.seen: dict[ast.expr, list[Sighting]] = {}
        super().__init__(
            context.tree,
            context.source,
            always=True,
            infos=context.get(ClassSummaries).known,
            stores=context.get(AttributeStores).known,
        )

    def places(self, scope: Scope) -> bool:
        """Run every function, whether it places anything or not."""
        return True

    def observe(self, node: ast.expr, value: Obj) -> None:
        """Record a value of the file's code."""
        if not self.abroad:
            self.seen.setdefault(node, []).append(Sighting(value, self.lying(value), tuple(self.stack)))

    def of(self, node: ast.expr) -> list[Sighting]:
        """The values that an expression had."""
        return self.seen.get(node, [])

    def kinds(self, node: ast.expr) -> set[str]:
        """The kinds of the values that an expression had."""
        return {sighting.value.kind for sighting in self.of(node)}

    def is_tensor(self, node: ast.expr) -> bool:
        """Whether an expression was a tensor whenever it was evaluated."""
        return bool(self.of(node)) and all(sighting.value.is_tensor_like for sighting in self.of(node))

    def wrappers(self, node: ast.expr) -> Iterator[Obj]:
        """The wrapped modules among the values of an expression."""
        for sighting in self.of(node):
            yield from (value for value in ways(sighting.value) if value.is_wrapper)

    def loaders(self, node: ast.expr) -> Iterator[tuple[Obj, Sighting]]:
        """The loaders that an expression gives batches of: itself, or those that it enumerates or zips."""
        for sighting in self.of(node):
            for loader in _loaders(sighting.value):
                yield loader, sighting


def _loaders(value: Obj) -> Iterator[Obj]:
    for way in ways(value):
        if way.kind == "loader":
            yield way
        elif way.kind == "enumerated" and way.base is not None:
            yield from _loaders(way.base)
        elif way.kind == "zipped":
            for item in way.items or ():
                yield from _loaders(item)
