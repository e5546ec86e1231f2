"""An optimizer made by a function of the file, as seen from the calling code: made by the call, like an object that
another file's function makes (`Machine.event_abroad`)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.interpret.values import Event
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from placefix.facts.program.tree import Scope, Stmt


class Made(NamedTuple):
    """An optimizer's construction.

    event: as seen from the function that places the module; itself: the construction; firsts: the first placements that follow, of those
    modules that were not placed before.
    """

    event: Event
    itself: Event
    firsts: list[Event]


def as_called(every: list[tuple[Event, list[Event]]]) -> list[Made]:
    """The constructions of optimizers with the placements that follow, each seen from the function of these placements."""
    early = {itself: _as_called(itself, firsts) for itself, firsts in every if firsts}
    called = {_way(itself, len(event.stack)): event for itself, event in early.items() if event is not itself}
    found = []
    for itself, firsts in every:
        event = early.get(itself, itself)
        if not firsts:  # the same call in another iteration, where the module is placed already
            depth = next((d for d in range(1, len(itself.stack)) if _way(itself, d) in called), 0)
            event = _at(itself, called[_way(itself, depth)].node, depth) if depth else itself
        found.append(Made(event, itself, firsts))
    return found


def shared_depth(a: Event, b: Event) -> int:
    """The depth of the innermost activation that two events share, -1 where they share none."""
    depth = -1
    for index, (one, two) in enumerate(zip(a.stack, b.stack, strict=False)):
        if one.activation != two.activation:
            break
        depth = index
    return depth


def _as_called(made: Event, firsts: list[Event]) -> Event:
    depth = max((shared_depth(made, place) for place in firsts), default=-1)
    if depth < 0 or depth == len(made.stack) - 1:
        return made
    call = _call_of(made.stack[depth + 1].stmt.scope, made.stack[depth].stmt)
    return _at(made, call, depth + 1) if call is not None else made


def _call_of(function: Scope, stmt: Stmt) -> ast.Call | None:
    """The one call of a function in a statement that assigns its result; None if there is no such call or several."""
    node = stmt.node
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
        return None
    name = getattr(function.node, "name", "")
    calls = [c for c in walk(node.value) if isinstance(c, ast.Call) and dotted(c.func).rpartition(".")[2] == name]
    return calls[0] if len(calls) == 1 else None


def _at(event: Event, call: ast.expr, depth: int) -> Event:
    """An event as one of the call that leads to it, `depth` activations deep."""
    return Event(
        event.kind, call, event.obj, event.stack[:depth], event.order,
        place=event.place, what=event.what, args=event.args, places=event.places, again=event.again,
    )  # fmt: skip


def _way(event: Event, depth: int) -> tuple[ast.AST | Stmt, ...]:
    """By which statements an event is reached, as far as `depth` activations show."""
    return (event.node, *(frame.stmt for frame in event.stack[:depth]))
