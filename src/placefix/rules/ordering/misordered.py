"""Wraps and optimizers that are made before the placement of their modules, and the shared parts of the repair."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from placefix.reachability import reachable
from placefix.rules.ordering.optimizer_calls import shared_depth

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Edit
    from placefix.facts.interpret.values import Event, Obj
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Doubt, Reason


class Repair(NamedTuple):
    """Edits that repair an order, or none and the reason."""

    edits: tuple[Edit, ...] = ()
    why_not: Reason | None = None
    hoisted: bool = False


class Wrap(NamedTuple):
    """A DataParallel or DDP construction and the placement of its module that follows it."""

    event: Event
    placement: Event | None
    chained: bool
    elsewhere: bool = False  # the placement is in another function


class Optimizer(NamedTuple):
    """An optimizer constructed before its modules are placed."""

    event: Event
    placements: tuple[Event, ...]
    state_loaded: bool
    rebuilt: int  # line where it is made again before any use, 0 if it is not
    elsewhere: bool = False
    state_moved: bool = False  # after the placement, by other code
    others: frozenset[str] = frozenset()  # classes that the same call makes on other ways
    doubt: Doubt | None = (
        None  # why its state may follow the module although nothing is seen to move it, or may not be there
    )


class Accumulator(NamedTuple):
    """A read of the nodes that accumulate gradients, the view of the parameter that gives them, and the placement of a module that follows
    the view. pair: the statements of the view and the placement in one suite; None if one of them is in another function."""

    event: Event
    view: Event
    placement: Event
    pair: tuple[Stmt, Stmt] | None


def frame(a: Event, b: Event) -> tuple[Stmt, Stmt, bool, bool] | None:
    """The statements of both events in the innermost activation they share, and for each event whether it happens
    directly in that activation; None if they share none."""
    depth = shared_depth(a, b)
    if depth < 0:
        return None
    return a.stack[depth].stmt, b.stack[depth].stmt, len(a.stack) == depth + 1, len(b.stack) == depth + 1


def parts(stmt: Stmt) -> set[Stmt]:
    """A statement and all in its blocks."""
    return reachable([stmt], lambda one: (inner for suite in one.suites for inner in suite.stmts))


def among(obj: Obj, wanted: Iterable[Obj]) -> bool:
    """Whether `obj` is, on some path, one of `wanted`."""
    return obj in wanted or any(among(a, wanted) for a in obj.alts)
