"""Samplers of distributed runs: epochs that nobody tells them, and loaders that shuffle beside them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Insert, Replace
from placefix.facts import premises, reasons
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.finding import Finding
from placefix.facts.interpret.events import statements_around, ways
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.ast_names import dotted, is_literal, keyword_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.values import Event, Obj
    from placefix.facts.program.tree import Stmt

_SAMPLER = "torch.utils.data.DistributedSampler"
_COUNTS = ("range", "trange", "tqdm.trange", "itertools.count")


class Untold(NamedTuple):
    """A sampler that is not told the epoch. loop: the 1-based line of the loop over the epochs."""

    finding: Finding
    loop: int


class SamplerEpochs(FileAnalysis):
    """PF412 for one file."""

    flow = requires(Flow)

    def untold(self) -> Iterator[Untold]:
        """The distributed samplers that shuffle, in a loop over epochs that trains, if nothing in the file calls `set_epoch`."""
        if "set_epoch" in self.context.source.text:
            return
        seen = set()
        for event in self.flow.index.of_kind("iterate"):
            sampler = _shuffling(event.obj)
            loop = self._epochs(event) if sampler is not None else None
            if sampler is None or loop is None or (sampler, loop) in seen or not self._trains(event.stmt):
                continue
            seen.add((sampler, loop))
            origin = sampler.origin
            assert isinstance(origin, ast.Call)
            yield Untold(self._finding(event.obj, origin, loop), loop.node.lineno)

    def _finding(self, loader: Obj, sampler: ast.Call, loop: Stmt) -> Finding:
        call, epochs = loader.origin, loop.node
        assert isinstance(call, ast.Call)
        assert isinstance(epochs, ast.For)
        assert isinstance(epochs.target, ast.Name)
        given = keyword_value(call, "sampler")
        assert given is not None
        span = self.context.span(sampler)
        name = dotted(given)
        if not name or not self._is_bound(name, loop):
            return Finding(span, why_not=reasons.SAMPLER_UNNAMED())
        text = f"{name}.set_epoch({epochs.target.id})"
        if not self._is_sampler(given, loop):
            text = f"if {name} is not None:\n    {text}"
        edits = (Insert(self.context.span(loop.suites[0].stmts[0].node), text),)
        return Finding(span, edits=edits, premises=(premises.EPOCHS_DIFFER(),))

    def _is_bound(self, name: str, loop: Stmt) -> bool:
        """Whether a name, or an attribute of self, has the sampler in the function of a loop: it is bound once, and above the loop."""
        writes = self.context.index.written(name)
        if len({write.stmt.suite for write in writes}) != len(writes) or not writes:
            return False
        if "." in name:
            return name.startswith("self.") and {w.stmt.scope.parent for w in writes} == {loop.scope.parent}
        return all(w.stmt.scope is loop.scope and w.stmt.number < loop.number for w in writes)

    def _epochs(self, event: Event) -> Stmt | None:
        """The innermost loop over numbers around a loop over batches."""
        for outer in statements_around(event):
            node = outer.node
            if outer is event.stmt or not isinstance(node, ast.For) or not isinstance(node.target, ast.Name):
                continue
            if self._counts(node.iter, outer):
                return outer
        return None

    def _counts(self, iterable: ast.expr, stmt: Stmt) -> bool:
        """Whether an expression gives the numbers of several epochs."""
        if not isinstance(iterable, ast.Call) or not iterable.args:
            return False
        name = self.context.tree.qualname(iterable.func, stmt.scope) or dotted(iterable.func)
        if name.endswith("tqdm"):
            return self._counts(iterable.args[0], stmt)
        last = iterable.args[0]
        return name in _COUNTS and not (len(iterable.args) == 1 and isinstance(last, ast.Constant) and last.value == 1)

    def _trains(self, loop: Stmt) -> bool:
        """Whether an optimizer steps in a loop over batches."""
        return any(
            event.what == "step" and loop in statements_around(event) for event in self.flow.index.of_kind("state")
        )

    def shuffled(self) -> Iterator[Finding]:
        """The loaders that get ``shuffle=True`` and a sampler of torch."""
        for call, stmt in self.context.index.called("DataLoader"):
            options = {k.arg: k.value for k in call.keywords}
            shuffle, sampler = options.get("shuffle"), options.get("sampler")
            if not isinstance(shuffle, ast.Constant) or shuffle.value is not True or sampler is None:
                continue
            if self.context.tree.qualname(call.func, stmt.scope) != "torch.utils.data.DataLoader":
                continue
            if self._is_sampler(sampler, stmt):
                yield Finding(self.context.span(shuffle), edits=(Replace(self.context.span(shuffle), "False", "True"),))

    def _is_sampler(self, value: ast.expr, stmt: Stmt) -> bool:
        """Whether an expression is a sampler of torch on every path: its constructor, or a name that only that is bound to."""
        if not isinstance(value, ast.Call):
            writes = self.context.index.written(dotted(value)) if dotted(value) else ()
            return bool(writes) and all(
                isinstance(w.value, ast.Call) and self._is_sampler(w.value, w.stmt) for w in writes
            )
        name = self.context.tree.qualname(value.func, stmt.scope)
        return name is not None and name.startswith("torch.utils.data.") and name.endswith("Sampler")


def _shuffling(loader: Obj) -> Obj | None:
    """The distributed sampler of a loader, if it shuffles; None without one."""
    for value in ways(loader.sampler) if loader.sampler is not None else ():
        call = value.origin
        if value.name != _SAMPLER or not isinstance(call, ast.Call):
            continue
        shuffle = keyword_value(call, "shuffle")
        if shuffle is None or is_literal(shuffle, True):
            return value
    return None
