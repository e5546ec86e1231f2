"""The device-flow analysis: an abstract interpreter over the statement tree.

It runs the module as Python would, follows calls to functions, methods and classes of
the file, and records in order the events of modules, optimizers and tensors (`Event`)
and which objects each statement touches and how (`Flow.touches`: used by `rules.ordering.movability`
where a statement is to be moved). Functions that nothing in the file calls run once with unknown arguments.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts.interpret.attribute_writes import AttributeStores
from placefix.facts.interpret.class_runs import ClassRuns
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.events import EventIndex
from placefix.facts.interpret.usage_evidence import evidence, placing
from placefix.facts.naming import names_test

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.attribute_writes import Stores
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope, Tree
    from placefix.source import Source


class Interpreter(ClassRuns):
    """Runs a file at construction, as far as anything in it may be placed; afterwards it only answers.

    always: run it even if nothing is placed. infos, stores: the summaries of classes and attributes that exist already,
    shared with other analyses.
    """

    def __init__(
        self,
        tree: Tree,
        source: Source,
        *,
        always: bool = False,
        infos: dict[Scope, ClassInfo] | None = None,
        stores: dict[Tree, Stores] | None = None,
    ) -> None:
        super().__init__(tree, source, infos, stores)
        self._placing = placing(source.text, tree.home)
        if self._placing or always:
            self._run()

    def _run(self) -> None:
        _, self.evidence, self.evident = self.known[self.tree] = (self.imports, *evidence(self.source.text))
        self.run_root()
        self.module_state = self.state
        self._run_rest()

    @property
    def places_something(self) -> bool:
        """Whether the file, or code of other files that it imports, places something."""
        return bool(self._placing)

    @cached_property
    def index(self) -> EventIndex:
        """The recorded events, indexed by kind and object."""
        return EventIndex(self.events)

    def release(self) -> None:
        """Break the reference cycles of the events."""
        for event in self.events:
            event.place = None

    def _run_rest(self) -> None:
        """Run the code that nothing called: classes through an artificial instance, then functions."""
        self.stack.clear()  # no statement of the module runs them
        for scope in list(self.tree.scopes.values()):
            if scope in self.ran:
                continue
            if scope.is_class:
                self.run_class(scope)
            elif scope.is_function and scope.cls is None and (self.places(scope) or self._calls_placing(scope)):
                if scope.parent is not None and scope.parent.is_function and scope.parent not in self.ran:
                    continue
                self.run_uncalled(scope)

    def _calls_placing(self, scope: Scope) -> bool:
        """Whether a function, which is no test, names another one of the file that places something: the ``main`` of a package calls
        ``build_model()``. The many tests of one function would use up the file's share of other files."""
        names = self._placing_functions if not names_test(scope.name) else frozenset()
        return bool(names) and any(isinstance(node, ast.Name) and node.id in names for node in scope.nodes)

    @cached_property
    def _placing_functions(self) -> frozenset[str]:
        functions = self.tree.root.functions
        return frozenset(name for name, function in functions.items() if self.places(function))


class Flow(Interpreter):
    """The device flow of a context's file."""

    def __init__(self, context: AnalysisContext) -> None:
        super().__init__(
            context.tree,
            context.source,
            always=context.settings.add_placement,
            infos=context.get(ClassSummaries).known,
            stores=context.get(AttributeStores).known,
        )
