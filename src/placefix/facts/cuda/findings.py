"""What the rules about hard-coded CUDA report, and the device that a repair takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.lazy import NamedTuple

if TYPE_CHECKING:
    from placefix.diagnostic import Edit, Span


class Finding(NamedTuple):
    """A hard-coded use and what can be done: edits, or the reason why not.

    span: the call or literal; what: how it is spelled, for the message; premise: what makes the
    edits unsafe; device: the expression they use; shown: whether the edits are a suggestion only.
    """

    span: Span
    what: str
    edits: tuple[Edit, ...] = ()
    premise: str = ""
    why_not: str = ""
    device: str = ""
    shown: bool = False


class Choice(NamedTuple):
    """A device for a site: its text and the edits that define it; or why there is none.

    number: the argument of ``.cuda(…)`` whose GPU it is.
    """

    text: str = ""
    inserts: tuple[Edit, ...] = ()
    premise: str = ""
    why_not: str = ""
    number: str = ""
