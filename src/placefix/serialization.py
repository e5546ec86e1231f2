"""Outcomes as plain data (lists, strings, numbers) and back: for other processes, and for the cache."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from placefix import diagnostic as d
from placefix import engine as e

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Rule
    from placefix.engine import Outcome

# A record is [its number here, *its fields]: the order is the format. The fields by their types; a list holds the type of
# a tuple's items.
_FIELDS: dict[type, tuple[Any, ...]] = {
    e.Unchanged: ([d.Diagnostic],),
    e.Changed: (str, [d.Diagnostic], [d.Diagnostic], int),
    e.Skipped: (str, int, int),
    e.Failed: (str,),
    d.Diagnostic: (d.Rule, d.Span, str, d.Severity, (d.Fix, type(None)), str),
    d.Fix: ([(d.Replace, d.Insert, d.Move, d.Unwrap, d.Delete, d.Remark)], str, d.Applicability, str, [tuple]),
    d.Span: (int, int),
    d.Replace: (d.Span, str, str),
    d.Insert: (d.Span, str, str),
    d.Move: ([d.Span], d.Span, str, [d.Replace]),
    d.Unwrap: (d.Span, [d.Span], [d.Replace]),
    d.Delete: ([d.Span],),
    d.Remark: (d.Span, str, str),
}
_RECORDS = tuple(_FIELDS)
_NUMBERS = {record: number for number, record in enumerate(_RECORDS)}
_RULE, _TUPLE, _ENUM = -1, -2, -3
_ENUMS: tuple[type[Enum], ...] = (d.Severity, d.Applicability)


def dump(outcome: Outcome) -> Any:
    """`outcome` as plain data."""
    return _dump(outcome)


def load(plain: Any, rules: Iterable[Rule]) -> Outcome:
    """The outcome that `dump` was given; `rules` are those of the file's configuration.

    Raises ValueError (or KeyError, IndexError, TypeError) for data that `dump` did not make.
    """
    outcome = _load(plain, {rule.code: rule for rule in rules})
    if not isinstance(outcome, e.Changed | e.Unchanged | e.Skipped | e.Failed):
        raise ValueError("not an outcome")
    return outcome


def _dump(value: Any) -> Any:
    if value is None or type(value) in (str, int, bool):
        return value
    if isinstance(value, Enum):
        return [_ENUM, _ENUMS.index(type(value)), value.value]
    if isinstance(value, d.Rule):
        return [_RULE, value.code]
    number = _NUMBERS.get(type(value), _TUPLE)
    if number is _TUPLE and type(value) is not tuple:
        raise TypeError(f"{type(value).__name__} has no plain form")
    return [number, *map(_dump, value)]


def _load(plain: Any, rules: dict[str, Rule]) -> Any:
    if not isinstance(plain, list | tuple):
        return plain
    number, *fields = plain
    if number == _ENUM:
        return _ENUMS[fields[0]](fields[1])
    if number == _RULE:
        return rules[fields[0]]
    values = [_load(field, rules) for field in fields]
    if number == _TUPLE:
        return tuple(values)
    record = _RECORDS[number]
    if number < 0 or not all(map(_fits, values, _FIELDS[record])):
        raise ValueError(f"not the fields of {record.__name__}")
    return record(*values)


def _fits(value: Any, kind: Any) -> bool:
    """Whether a field is of its type."""
    if isinstance(kind, list):
        return type(value) is tuple and all(isinstance(item, kind[0]) for item in value)
    return isinstance(value, kind)
