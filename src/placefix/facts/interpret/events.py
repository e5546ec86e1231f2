"""The events of a flow by kind and object, so that a detector need not search all of them for one finding."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from placefix.facts import torch_api as api

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from placefix.facts.interpret.values import Event, EventKind, Obj
    from placefix.facts.program.tree import Stmt, Tree

# A move by a line of this file; one by a function of another file, as an event of the call.
PLACEMENTS: tuple[EventKind, ...] = ("place", "placed")

_Key = TypeVar("_Key", bound="Hashable")


def called_module(tree: Tree, event: Event) -> ast.expr:
    """The module in the expression that calls it: ``net`` in ``net(x)``, ``net.forward(x)``, ``checkpoint(net, x)`` and ``trace(net, x)``."""
    call = event.node
    if not isinstance(call, ast.Call):
        return call
    if call.args and tree.qualname(call.func, event.stmt.scope) in (*api.CHECKPOINT, *api.RUNS_WITH_INPUTS):
        return call.args[0]
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr == "forward" and not isinstance(func.value, ast.Call):
        return func.value
    return func


class EventIndex:
    """The events of one flow that has run. Each index is made when it is first used; each answer is in the order of execution."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self._kinds: dict[EventKind, list[Event]] | None = None
        self._statements: dict[Stmt, list[Event]] | None = None
        self._roots: dict[EventKind, dict[Obj, list[Event]]] = {}
        self._paths: dict[EventKind, dict[Obj, list[Event]]] = {}
        self._sources: dict[EventKind, dict[Obj, list[Event]]] = {}
        self._nodes: dict[EventKind, dict[ast.expr, list[Event]]] = {}

    def of_kind(self, kind: EventKind) -> Sequence[Event]:
        """The events of a kind."""
        if self._kinds is None:
            self._kinds = _grouped(self._events, lambda event: (event.kind,))
        return self._kinds.get(kind, ())

    @cached_property
    def placed(self) -> set[Obj]:
        """What lines place: of a module the outermost one without its wrappers (`Obj.root`)."""
        return {event.obj.root() for kind in PLACEMENTS for event in self.of_kind(kind)}

    @cached_property
    def module_calls(self) -> frozenset[ast.expr]:
        """The calls of modules and losses."""
        return frozenset(event.node for event in self.of_kind("call"))

    def within(self, stmt: Stmt) -> Sequence[Event]:
        """The events of a statement itself (not of those in its blocks) and of the functions that it calls."""
        if self._statements is None:
            self._statements = _grouped(self._events, lambda event: {frame.stmt: None for frame in event.stack})
        return self._statements.get(stmt, ())

    def of_root(self, kind: EventKind, root: Obj) -> Sequence[Event]:
        """The events of a kind with a module, in whatever wrappers."""
        if kind not in self._roots:
            self._roots[kind] = _grouped(self.of_kind(kind), lambda event: (event.obj.root(),))
        return self._roots[kind].get(root, ())

    def of_object(self, kind: EventKind, obj: Obj) -> Sequence[Event]:
        """The events of a kind about this object on some path."""
        if kind not in self._paths:
            self._paths[kind] = _grouped(self.of_kind(kind), lambda event: dict.fromkeys(ways(event.obj)))
        return self._paths[kind].get(obj, ())

    def of_source(self, kind: EventKind, obj: Obj) -> Sequence[Event]:
        """The events of a kind with this object or with a tensor that derives from it."""
        if kind not in self._sources:
            self._sources[kind] = _grouped(self.of_kind(kind), lambda event: {event.obj, *event.obj.roots})
        return self._sources[kind].get(obj, ())

    def of_node(self, kind: EventKind, node: ast.expr) -> Sequence[Event]:
        """The events of a kind at one place in the text."""
        if kind not in self._nodes:
            self._nodes[kind] = _grouped(self.of_kind(kind), lambda event: (event.node,))
        return self._nodes[kind].get(node, ())


def statements_around(event: Event) -> Iterator[Stmt]:
    """The statements that run when an event happens, each before those around it: in its function, then in those that called it."""
    for frame in reversed(event.stack):
        yield frame.stmt
        yield from frame.stmt.ancestors()


def ways(obj: Obj) -> Iterator[Obj]:
    """An object and those that it is on some path."""
    obj = obj.uncompiled()
    yield obj
    for other in obj.alts:
        yield from ways(other)


def _grouped(events: Iterable[Event], keys: Callable[[Event], Iterable[_Key]]) -> dict[_Key, list[Event]]:
    found: dict[_Key, list[Event]] = {}
    for event in events:
        for key in keys(event):
            found.setdefault(key, []).append(event)
    return found
