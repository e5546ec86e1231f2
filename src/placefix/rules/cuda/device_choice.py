"""The device that the repair of a use of CUDA takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.lazy import NamedTuple

if TYPE_CHECKING:
    from placefix.diagnostic import Edit


class Choice(NamedTuple):
    """A device for a site: its text and the edits that define it; or why there is none.

    number: the argument of ``.cuda(…)`` whose GPU it is.
    """

    text: str = ""
    inserts: tuple[Edit, ...] = ()
    premise: str = ""
    why_not: str = ""
    number: str = ""
