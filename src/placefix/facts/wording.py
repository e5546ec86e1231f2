"""Sentences that give a reason: a row of a table and the values of its fields. A sentence is rendered here and nowhere else.

The tables are `facts.premises` and `facts.reasons`. A row without fields is the value itself; a row with fields is called with
exactly these: ``reasons.RUNS_MODULE(line="line 3")``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Self


class Wording(NamedTuple):
    """A sentence without its full stop. key: the row's name, which outputs print; template: the row's text, a field in braces;
    fields: their names and values, names and code in backticks where the template has none."""

    key: str
    template: str
    fields: tuple[tuple[str, object], ...] = ()

    def __call__(self, **fields: object) -> Self:
        """The row with its fields filled."""
        return self._replace(fields=tuple(fields.items()))

    def field(self, name: str) -> object:
        """The value of a field. Raises KeyError if it is missing."""
        return dict(self.fields)[name]

    @property
    def text(self) -> str:
        """The sentence. Raises KeyError if a field of the row is missing."""
        return self.template.format(**dict(self.fields))

    def __str__(self) -> str:  # in a field of another row
        return self.text


class Premise(Wording):
    """Why a fix is unsafe: it is right only if this holds."""

    __slots__ = ()


class Doubt(Wording):
    """Why it may be that nothing fails: the finding is a warning."""

    __slots__ = ()


class Reason(Wording):
    """Why a finding has no fix, or why code is correct unchanged."""

    __slots__ = ()


def text_of(given: Wording | None) -> str:
    """The sentence, "" without one."""
    return given.text if given is not None else ""


def unite(*given: Premise | Iterable[Premise] | None) -> tuple[Premise, ...]:
    """The premises in order, each once."""
    found: dict[Premise, None] = {}
    for part in given:
        if isinstance(part, Premise):
            found[part] = None
        elif part is not None:
            found.update(dict.fromkeys(part))
    return tuple(found)
