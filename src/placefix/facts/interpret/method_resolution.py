"""The order in which Python searches a class and its bases for a method: the C3 linearisation."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.facts.program.tree import Scope


def resolution_order(cls: Scope, orders: Sequence[tuple[Scope, ...]]) -> tuple[Scope, ...]:
    """The class and its bases in the order of the search.

    orders: those of its direct bases, from left to right. Python refuses a class whose bases contradict each other; they are then
    searched depth first.
    """
    if len(orders) < 2:
        return (cls, *(base for order in orders for base in order))
    rest = [list(order) for order in (*orders, tuple(order[0] for order in orders))]
    found = [cls]
    while any(rest):
        heads = (order[0] for order in rest if order)
        head = next((head for head in heads if not any(head in order[1:] for order in rest)), None)
        if head is None:
            return tuple(dict.fromkeys((cls, *(base for order in orders for base in order))))
        found.append(head)
        rest = [order[1:] if order and order[0] is head else order for order in rest]
    return tuple(found)
