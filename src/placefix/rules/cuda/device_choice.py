"""The device that the repair of a use of CUDA takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import reasons

if TYPE_CHECKING:
    from placefix.diagnostic import Edit
    from placefix.facts.program.conditions import Test
    from placefix.facts.wording import Premise, Reason


class Choice(NamedTuple):
    """A device for a site: its text and the edits that define it; or why there is none.

    number: the argument of ``.cuda(…)`` whose GPU it is.
    """

    text: str = ""
    inserts: tuple[Edit, ...] = ()
    premises: tuple[Premise, ...] = ()
    why_not: Reason | None = None
    number: str = ""


def not_known(device: str, test: Test, *, below: bool = False) -> Choice:
    """No device: the one in scope, or with `below` the one bound further down, is not proven to be the right one."""
    row = reasons.DEVICE_BOUND_BELOW if below else reasons.DEVICE_NOT_SHOWN_TO_FOLLOW
    return Choice(why_not=row(device=device, test=test.text))
