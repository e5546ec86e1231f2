"""What an analysis finds, for a rule to report."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Applicability, Fix

if TYPE_CHECKING:
    from placefix.diagnostic import Edit, Span
    from placefix.facts.wording import Doubt, Premise, Reason


class Finding(NamedTuple):
    """A problem at one place, and its repair: edits, or the reason why there are none.

    span: the place. what: the kind of finding, in the terms of the analysis: the spelling of a use of CUDA, or the operation in which a
    tensor fails ("input", "loss", "operand", "indexed"). edits: the repair; premises: why the edits are unsafe, none if they are safe;
    why_not: why there are no edits; device: the expression that they use; shown: they are a suggestion only. doubt: why the program may
    run without error, None if it is proven to fail. met: the operations that fail without the edits, each with the operand.
    shares: as `Diagnostic.shares`.
    names: the script's names of the values to change; beside: the expression that it is used with. hint: the setting that would make
    another fix of it.
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
    """The fix, made unsafe by one more premise, or by a doubt about the findings that follow from it."""
    text, rows = _printed((premise,))
    text = f"{fix.premise}; {text}" if fix.premise else text
    return fix._replace(applicability=Applicability.UNSAFE, premise=text, premises=(*fix.premises, *rows))


def _printed(premises: tuple[Premise | Doubt, ...]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The sentences as one text, and the key and the sentence of each."""
    return "; ".join(premise.text for premise in premises), tuple((premise.key, premise.text) for premise in premises)
