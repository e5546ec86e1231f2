"""Loaders that give every process of a distributed run all of the data."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.ast_names import dotted, may_give
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.callees import definition_of
from placefix.rules.distributed.ranks import Ranks
from placefix.rules.ordering.process_groups import ProcessGroups

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Event
    from placefix.facts.program.tree import Scope

_LOADER = "torch.utils.data.DataLoader"
# Words in code that divides data among processes, or makes other data in each.
_DIVIDES = ("rank", "world_size", "shard", "Iterable", "get_worker_info", "rand")


class WholeLoaders:
    """The part of PF412 about loaders without a sampler, for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.events = context.get(Flow).index

    def found(self) -> Iterator[Finding]:
        """The loaders without a sampler that a DistributedDataParallel is trained on, if no code divides their data by the rank and the
        file has no sampler at all."""
        if "sampler" in self.context.source.text.lower():
            return
        calls = self._calls()
        seen = set()
        for event in self.events.of_kind("iterate") if calls else ():
            call = event.obj.origin
            if event.obj.name != _LOADER or not isinstance(call, ast.Call) or call in seen:
                continue
            if not any(_is_inside(e, event) for e in calls) or not any(_is_inside(e, event) for e in self._steps):
                continue
            seen.add(call)
            scope = next((stmt.scope for one, stmt in self.context.index.called("DataLoader") if one is call), None)
            if scope is not None and not self._divides(call, scope, set()):
                yield Finding(self.context.span(call))

    def _calls(self) -> list[Event]:
        """The calls of a DistributedDataParallel of several processes."""
        groups = self.context.get(ProcessGroups)
        wraps = {e.node for e in self.events.of_kind("wrap") if e.what == api.DDP and groups.started(e) is not None}
        return [e for e in self.events.of_kind("call") if e.obj.is_wrapper and e.obj.origin in wraps]

    @cached_property
    def _steps(self) -> list[Event]:
        """The steps of optimizers."""
        return [e for e in self.events.of_kind("state") if e.what == "step"]

    def _divides(self, expr: ast.expr, scope: Scope, seen: set[tuple[str, Scope]]) -> bool:
        """Whether a value may be one part of the data for each process: it is made with the rank, or by code that mentions it."""
        ranks = self.context.get(Ranks)
        for part in walk(expr):
            if not isinstance(part, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
                continue
            if ranks.number(part, scope) is not None or any(word in dotted(part) for word in _DIVIDES):
                return True
            if isinstance(part, ast.Call) and may_give(part, "batch_sampler"):
                return True
            made = definition_of(part.func, scope, self.context.home) if isinstance(part, ast.Call) else None
            if made is not None and any(word in made.tree.text(made) for word in _DIVIDES):
                return True
            if isinstance(part, ast.Name) and self._is_divided(part.id, scope, seen):
                return True
        return False

    def _is_divided(self, name: str, scope: Scope, seen: set[tuple[str, Scope]]) -> bool:
        """Whether a name may have one part of the data for each process: by its assignments in the file; by its caller if it is a parameter."""
        owner = scope.lookup(name)
        if owner is None or (name, owner) in seen or name in owner.imports or name in owner.functions:
            return False
        seen.add((name, owner))
        if name in owner.classes:
            return any(word in owner.tree.text(owner.classes[name]) for word in _DIVIDES)
        if any(isinstance(binding, ast.arg) for binding in owner.bindings.get(name, ())):
            return True
        return any(
            write.value is None or self._divides(write.value, owner, seen)
            for write in self.context.index.values(owner, name)
        )


def _is_inside(event: Event, loop: Event) -> bool:
    """Whether something happens in a loop over batches, in this run of its function."""
    run, stmt = loop.stack[-1].activation, loop.stmt
    return any(frame.activation == run and stmt in (frame.stmt, *frame.stmt.ancestors()) for frame in event.stack)
