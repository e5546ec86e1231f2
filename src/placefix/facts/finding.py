"""The record of a finding, which an analysis returns and a rule reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Applicability, Fix

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    return _fix(edits, title, *_printed(premises), shown=shown)


def joint_fix_of(edits: tuple[Edit, ...], parts: Sequence[tuple[str, Fix]]) -> Fix:
    """One fix with the premises of several, by the same rule. parts: each fix, with the text that its premises begin with."""
    texts = dict.fromkeys(f"{prefix}{fix.premise}" for prefix, fix in parts if fix.premise)
    rows = dict.fromkeys((key, f"{prefix}{text}") for prefix, fix in parts for key, text in fix.premises)
    title = "; ".join(dict.fromkeys(fix.message for _, fix in parts))
    return _fix(edits, title, "; ".join(texts), tuple(rows))


def made_unsafe(fix: Fix, premise: Premise | Doubt) -> Fix:
    """The fix, made unsafe by one more premise, or by a doubt about the findings that follow from it."""
    text, rows = _printed((premise,))
    return _fix(fix.edits, fix.message, f"{fix.premise}; {text}" if fix.premise else text, (*fix.premises, *rows))


def _fix(
    edits: tuple[Edit, ...], title: str, premise: str, rows: tuple[tuple[str, str], ...], *, shown: bool = False
) -> Fix:
    """The only place that decides an applicability. premise, rows: the premises as one text, and as keys and sentences."""
    applicability = Applicability.DISPLAY if shown else Applicability.UNSAFE if premise else Applicability.SAFE
    return Fix(edits, title, applicability, premise, rows)


def _printed(premises: tuple[Premise | Doubt, ...]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The sentences as one text, and the key and the sentence of each."""
    return "; ".join(premise.text for premise in premises), tuple((premise.key, premise.text) for premise in premises)
