"""Loaders that give every process of a distributed run all of the data."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.facts.naming import mentions_process_count, names_rank
from placefix.facts.program.ast_names import dotted, may_give
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.callees import definition_of
from placefix.rules.distributed.ranks import Ranks
from placefix.rules.ordering.process_groups import ProcessGroups

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.values import Event
    from placefix.facts.program.tree import Scope

_LOADER = "torch.utils.data.DataLoader"
# Functions whose result divides data among processes or workers.
_DIVIDE = frozenset(("torch.distributed.get_world_size", "torch.utils.data.get_worker_info"))
_DRAW = ("random.", "numpy.random.")
_MAP_STYLE = frozenset(("torch.utils.data.Dataset", "torch.utils.data.dataset.Dataset", "torch.nn.Module", "object"))


class WholeLoaders(FileAnalysis):
    """The part of PF412 about loaders without a sampler, for one file."""

    flow = requires(Flow)

    def found(self) -> Iterator[Finding]:
        """The loaders without a sampler that a DistributedDataParallel is trained on, if no code divides their data by the rank, or draws
        other data in each process."""
        calls = self.context.get(ProcessGroups).parallel_calls
        loops = self.flow.index.of_kind("iterate") if calls else ()
        seen: set[ast.AST] = set()
        some_paths = {one for event in loops for one in event.obj.alts}  # on others the loader is another one
        for event in loops:
            call = event.obj.origin
            if (
                event.obj.name != _LOADER
                or event.obj.alts
                or event.obj in some_paths
                or not isinstance(call, ast.Call)
                or call in seen
            ):
                continue
            if not any(_is_inside(e, event) for e in calls) or not any(_is_inside(e, event) for e in self._steps):
                continue
            seen.add(call)
            scope = next((stmt.scope for one, stmt in self.context.index.called("DataLoader") if one is call), None)
            if scope is not None and not self._divides(call, scope, set()):
                yield Finding(self.context.span(call))

    @cached_property
    def _steps(self) -> list[Event]:
        """The steps of optimizers."""
        return [e for e in self.flow.index.of_kind("state") if e.what == "step"]

    def _divides(self, expr: ast.expr, scope: Scope, seen: set[tuple[str, Scope]]) -> bool:
        """Whether a value may be one part of the data for each process: it is made with the rank, or by code that mentions it."""
        ranks = self.context.get(Ranks)
        for part in walk(expr):
            if not isinstance(part, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
                continue
            if ranks.number(part, scope) is not None or mentions_process_count(dotted(part)):
                return True
            if isinstance(part, ast.Call) and (may_give(part, "batch_sampler") or may_give(part, "sampler")):
                return True
            if isinstance(part, ast.Call) and _differs_by_process(scope.tree.qualname(part.func, scope)):
                return True
            made = definition_of(part.func, scope, self.context.home) if isinstance(part, ast.Call) else None
            if made is not None and self._is_divided_inside(made):
                return True
            if isinstance(part, ast.Name) and self._is_divided(part.id, scope, seen):
                return True
        return False

    def _is_divided_inside(self, made: Scope) -> bool:
        """Whether the code of a function or class may give each process a part of the data, or other data: it mentions the rank or the
        number of processes, draws random numbers, or is of a class that is not known."""
        if isinstance(made.node, ast.ClassDef) and not all(self._is_map_style(base, made) for base in made.node.bases):
            return True
        ranks = self.context.get(Ranks)
        scopes = [scope for scope in made.tree.scopes.values() if scope.within(made)]
        for scope in scopes:
            for part in scope.nodes:
                if isinstance(part, ast.Call) and _differs_by_process(scope.tree.qualname(part.func, scope)):
                    return True
                if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript, ast.arg)):
                    text = part.arg if isinstance(part, ast.arg) else dotted(part)
                    if mentions_process_count(text) or names_rank(text):
                        return True
                    if isinstance(part, ast.Subscript) and ranks.number(part, scope) is not None:
                        return True
        return False

    def _is_map_style(self, base: ast.expr, cls: Scope) -> bool:
        """Whether a base of a class has its items by index, all of them in each process; that of a class of the repository is looked into."""
        scope = cls.parent or cls
        if scope.tree.qualname(base, scope) in _MAP_STYLE:
            return True
        made = definition_of(base, scope, self.context.home)
        return made is not None and made is not cls and made.is_class and not self._is_divided_inside(made)

    def _is_divided(self, name: str, scope: Scope, seen: set[tuple[str, Scope]]) -> bool:
        """Whether a name may have one part of the data for each process: by its assignments in the file; by its caller if it is a parameter."""
        owner = scope.lookup(name)
        if owner is None or (name, owner) in seen or name in owner.imports or name in owner.functions:
            return False
        seen.add((name, owner))
        if name in owner.classes:
            return self._is_divided_inside(owner.classes[name])
        if any(isinstance(binding, ast.arg) for binding in owner.bindings.get(name, ())):
            return True
        return any(
            write.value is None or self._divides(write.value, owner, seen)
            for write in self.context.index.values(owner, name)
        )


def _differs_by_process(function: str | None) -> bool:
    """Whether a function may return another value in each process: one that divides data, or draws random numbers."""
    return function is not None and (
        function in _DIVIDE or function.startswith(_DRAW) or torch_model.is_random(function)
    )


def _is_inside(event: Event, loop: Event) -> bool:
    """Whether something happens in a loop over batches, in this run of its function."""
    run, stmt = loop.stack[-1].activation, loop.stmt
    return any(frame.activation == run and stmt in (frame.stmt, *frame.stmt.ancestors()) for frame in event.stack)
