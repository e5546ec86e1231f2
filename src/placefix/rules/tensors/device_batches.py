"""Loaders that yield tensors of a GPU, and pin them or make them in worker processes."""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from placefix.facts.context import FileAnalysis, requires
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import dotted, keyword_value, literal_int
from placefix.facts.program.tree import dominates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.values import Event, Place
    from placefix.facts.program.tree import Stmt

_CHOOSES_START = r"\bset_start_method\b|\bmultiprocessing_context\b"  # of processes: by a fork or anew


class DeviceBatches(FileAnalysis):
    """PF312 and PF313 for one file."""

    flow = requires(Flow)

    def pinned(self) -> Iterator[Finding]:
        """The loops over a loader that pins its batches, which are on a GPU."""
        for event in (*self._batches("batch"), *self._batches("collated")):
            if event.obj.value is True and _option(event, "pin_memory_device") is None:
                yield Finding(self.context.span(_iterated(event)))

    def in_workers(self) -> Iterator[Finding]:
        """The loops over a loader whose forked workers use CUDA, after this process has."""
        for event in (*self._batches("batch"), *self._batches("collated")):
            if self._has_workers(event) and self._has_started_cuda(event) and not self._chooses_start:
                yield Finding(self.context.span(_iterated(event)))

    @cached_property
    def _chooses_start(self) -> bool:
        """Whether the program may choose how processes start."""
        home = self.context.home
        chosen_here = re.search(_CHOOSES_START, self.context.source.text) is not None
        return chosen_here or (home is not None and bool(home.sharing(_CHOOSES_START)))

    def _has_workers(self, batch: Event) -> bool:
        """Whether the loader of a batch has worker processes: their number is a literal, or the one value of a name or of an attribute."""
        workers = _option(batch, "num_workers")
        made = [stmt for call, stmt in self.context.index.calls if call is batch.obj.origin]
        if isinstance(workers, ast.Name) and made:
            owner = made[0].scope.lookup(workers.id)
            workers = self.context.index.only_value(owner, workers.id) if owner is not None else None
        elif isinstance(workers, ast.Attribute):
            writes = self.context.index.written(dotted(workers))
            workers = writes[0].value if len(writes) == 1 else None
        return (literal_int(workers) or 0) > 0

    def _batches(self, kind: Literal["batch", "collated"]) -> Iterator[Event]:
        """The first event of each loop, or loader, whose batches have a tensor that is on a GPU where there is one."""
        seen = set()
        for event in self.flow.index.of_kind(kind):
            if event.node not in seen and any(_is_on_gpu(part.place) for part in event.args):
                seen.add(event.node)
                yield event

    def _has_started_cuda(self, batch: Event) -> bool:
        """Whether this process has used CUDA before a loop, on every path: it placed the data set, or a module."""
        dataset = batch.obj.base
        if dataset is not None and dataset.kind == "dataset":
            return True
        users = [batch.stmt, *(self._loops(batch) if batch.kind == "collated" else ())]
        return any(
            event.obj.is_module and _is_on_gpu(event.place) and any(dominates(event.stmt, user) for user in users)
            for event in self.flow.index.of_kind("place")
        )

    def _loops(self, loader: Event) -> Iterator[Stmt]:
        """The loops over a loader in the function that makes it."""
        name = assigned_text(loader.stmt.node)
        for _, at in self.context.index.read(name) if name else ():
            if isinstance(at.node, (ast.For, ast.AsyncFor)) and dominates(loader.stmt, at):
                yield at


def _iterated(batch: Event) -> ast.expr:
    """The loader in a loop, or the variable of a comprehension; the construction of a loader."""
    loop = batch.stmt.node
    return loop.iter if isinstance(loop, (ast.For, ast.AsyncFor)) and batch.kind == "batch" else batch.node


def _is_on_gpu(place: Place | None) -> bool:
    """Whether a place is a GPU on every machine that has one."""
    device = place.device if place is not None and place.is_device else None
    return device is not None and device.kind in ("cuda", "available")


def _option(event: Event, name: str) -> ast.expr | None:
    """The value of an option of the loader of a batch; None if it is not given by its name."""
    call = event.obj.origin
    return keyword_value(call, name) if isinstance(call, ast.Call) else None
