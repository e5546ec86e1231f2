"""What an analysis finds, for a rule to report."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Applicability, Fix

if TYPE_CHECKING:
    from placefix.diagnostic import Edit, Span
    from placefix.facts.wording import Doubt, Premise, Reason


class Finding(NamedTuple):
    """A problem at one place, and its repair: edits, or the reason why there are none.

    span: the place. what: what is found, in the terms of the analysis: how a use of CUDA is spelled, or in which operation a tensor
    fails ("input", "loss", "operand", "indexed"). edits: the repair; premises: why the edits are unsafe, none when they are safe;
    why_not: why there are none; device: the expression that they use; shown: they are a suggestion only. doubt: why it may be that
    nothing fails, None where it is shown that something does. met: the operations that fail without the edits, each with the operand.
    shares: what the edits have in common with others, as `Diagnostic` has it.
    names: how the script calls what has to change; beside: the expression that it is used with. hint: which setting would make another
    fix of it.
    """

    span: Span
    what: str = ""
    edits: tuple[Edit, ...] = ()
    premises: tuple[Premise, ...] = ()
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


def fix_of(edits: tuple[Edit, ...], title: str, premises: tuple[Premise, ...] = (), *, shown: bool = False) -> Fix:
    """The fix with these edits: safe exactly if it rests on no premise. One that is only shown is not applied."""
    applicability = Applicability.DISPLAY if shown else Applicability.UNSAFE if premises else Applicability.SAFE
    return Fix(edits, title, applicability, *_printed(premises))


def made_unsafe(fix: Fix, premise: Premise | Doubt) -> Fix:
    """The fix, if it rests on one premise more; or where a doubt about what follows from it remains."""
    text, rows = _printed((premise,))
    text = f"{fix.premise}; {text}" if fix.premise else text
    return fix._replace(applicability=Applicability.UNSAFE, premise=text, premises=(*fix.premises, *rows))


def _printed(premises: tuple[Premise | Doubt, ...]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The sentences as one text, and the key and the sentence of each."""
    return "; ".join(premise.text for premise in premises), tuple((premise.key, premise.text) for premise in premises)
