"""The order of execution in a file: whether it is a script, and which functions run before a statement of the module level."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.program.outside_callers import has_script_beside
from placefix.facts.program.statement_forms import is_main_guard
from placefix.facts.program.tree import Scope, Stmt, common, dominates
from placefix.reachability import reachable

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext

# Methods that place, train or start something.
_WORK = frozenset(
    ("parse_args", "cuda", "to", "parameters", "backward", "step", "fit", "run", "train", "main", "launch")
)


class Execution(FileAnalysis):
    """The answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        super().__init__(context)
        self._called: dict[Scope, bool] = {}

    @cached_property
    def is_script(self) -> bool:
        """Whether the file has an entry point, or module-level code that parses options, builds, places or trains."""
        root = self.tree.root
        return any(is_main_guard(stmt) for stmt in root.body.stmts) or any(
            self._works(call, stmt)
            for call, stmt in self.index.calls
            if stmt.scope is root and not isinstance(stmt.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        )

    @cached_property
    def is_standalone(self) -> bool:
        """Whether the file is a script that no other file imports: no other code reads its names."""
        home = self.context.home
        return self.is_script and not (home is not None and home.importers(home.path))

    def is_read_here_only(self, scope: Scope) -> bool:
        """Whether no other file reads the names of a scope."""
        return scope.is_function or (scope.is_root and self.is_standalone)

    def has_known_callers(self, function: Scope) -> bool:
        """Whether all callers of a function are in the file, which does nothing with it but call it."""
        home = (function.cls or function).parent
        return home is not None and self.is_read_here_only(home) and self.is_only_called(function)

    def is_only_called(self, function: Scope) -> bool:
        """Whether the file calls a function, and does nothing else with it."""
        if function not in self._called:
            self._called[function] = self._is_only_called(function)
        return self._called[function]

    def _is_only_called(self, function: Scope) -> bool:
        owner = function.cls or function
        home = owner.parent
        if home is None or len(home.bindings[owner.name]) > 1 or function.function.decorator_list:
            return False
        calls = {call.func for call, _ in self.index.called(function.name)}
        if owner is function:
            return bool(calls) and calls.issuperset(self.index.loads(function.name, home))
        nodes = self.tree.root.nodes
        named = (node for node in nodes if isinstance(node, ast.Attribute) and node.attr == function.name)
        return bool(calls) and home.is_root and not function.name.startswith("__") and calls.issuperset(named)

    @cached_property
    def is_library(self) -> bool:
        """Whether functions of the file may be called from outside the repository: it is no script, and none is in the folder from which
        its package is imported."""
        home = self.context.home
        return not self.is_script and (home is None or not has_script_beside(home))

    def _works(self, call: ast.Call, stmt: Stmt) -> bool:
        root = self.tree.root
        func = call.func
        name = self.tree.qualname(func, root)
        if name is not None:
            return (
                name.endswith(("ArgumentParser", "parse_args"))
                or api.is_module_constructor(name)
                or api.is_optimizer(name)
                or api.is_loader(name)
            )
        if isinstance(func, ast.Attribute):
            return func.attr in _WORK
        if not isinstance(func, ast.Name):
            return False
        cls = root.classes.get(func.id)
        if cls is not None:
            return self.context.get(ClassSummaries).of(cls).is_module or self._trains(cls)
        return func.id in root.functions and isinstance(stmt.node, ast.Expr)  # main()

    def _trains(self, cls: Scope) -> bool:
        """Whether the code of a class makes an optimizer."""
        return any(
            stmt.scope.within(cls) and api.is_optimizer(self.tree.qualname(call.func, stmt.scope) or "")
            for call, stmt in self.index.calls
        )

    @cached_property
    def _mentions(self) -> dict[str, set[str]]:
        """Top-level function or class -> the top-level functions and classes its code names."""
        root = self.tree.root
        known = root.functions.keys() | root.classes.keys()
        found: dict[str, set[str]] = {}
        for name in known:
            for _, stmt in self.index.read(name):
                top = self._top(stmt)
                if top is not None:
                    found.setdefault(top.name, set()).add(name)
        return found

    def _top(self, stmt: Stmt) -> Scope | None:
        """The top-level function or class around a statement."""
        return next((scope for scope in stmt.scope.chain() if scope.parent is self.tree.root), None)

    def called_before(self, definition: Stmt, point: Stmt) -> bool:
        """Whether module-level code may run the function or class `definition` before `point`."""
        top = definition
        while top.scope.parent is not None:
            top = self.tree.stmts[top.scope.node]  # type: ignore[index]
        wanted = getattr(top.node, "name", "")
        early: set[str] = set()
        for name in self.tree.root.functions.keys() | self.tree.root.classes.keys():
            for _, stmt in self.index.read(name):
                if stmt.scope is self.tree.root and not dominates(point, stmt) and stmt is not point:
                    pair = common(point, stmt)
                    if pair is not None and pair[1].index > pair[0].index:
                        continue
                    early.add(name)
                    break
        return wanted in reachable(early, lambda name: self._mentions.get(name, ()))
