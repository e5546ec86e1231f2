"""Reachability in a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

T = TypeVar("T")


def reachable(starts: Iterable[T], successors: Callable[[T], Iterable[T]]) -> set[T]:
    """The nodes that paths from `starts` lead to, with the starts themselves. `successors` is called once for each node."""
    found = set(starts)
    todo = list(found)
    while todo:
        for node in successors(todo.pop()):
            if node not in found:
                found.add(node)
                todo.append(node)
    return found
