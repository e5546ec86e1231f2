"""What an analysis finds, for a rule to report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.lazy import NamedTuple

if TYPE_CHECKING:
    from placefix.diagnostic import Edit, Span
    from placefix.facts.wording import Doubt, Premise, Reason


class Finding(NamedTuple):
    """A problem at one place, and its repair: edits, or the reason why there are none.

    span: the place. what: what is found, in the terms of the analysis: how a use of CUDA is spelled, or in which operation a tensor
    fails ("input", "loss", "operand", "indexed"). edits: the repair; premise: why the edits are unsafe, None when they are safe;
    why_not: why there are none; device: the expression that they use; shown: they are a suggestion only. doubt: why it may be that
    nothing fails, None where it is shown that something does. met: the operations that fail without the edits, each with the operand.
    shares: what the edits have in common with others, as `Diagnostic` has it.
    names: how the script calls what has to change; beside: the expression that it is used with. hint: which setting would make another
    fix of it.
    """

    span: Span
    what: str = ""
    edits: tuple[Edit, ...] = ()
    premise: Premise | None = None
    why_not: Reason | None = None
    device: str = ""
    shown: bool = False
    doubt: Doubt | None = None
    met: tuple[tuple[Span, Span], ...] = ()
    shares: tuple[int | Span, ...] = ()
    names: tuple[str, ...] = ()
    beside: str = ""
    hint: Reason | None = None

    @property
    def name(self) -> str:
        """The first of the names."""
        return self.names[0]
