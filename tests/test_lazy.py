"""`lazy.NamedTuple` is typing.NamedTuple that start-up does not pay for."""

from __future__ import annotations

import copy
import pickle
import typing

import pytest

from placefix.lazy import NamedTuple


class Ours(NamedTuple):
    """A record."""

    first: int
    second: str = "s"
    third: Undefined | None = None  # type: ignore[name-defined]  # noqa: F821

    @property
    def double(self) -> int:
        return 2 * self.first


class Theirs(typing.NamedTuple):
    """A record."""

    first: int
    second: str = "s"
    third: typing.Any = None


def test_the_same_as_typing() -> None:
    for arguments, named in (((1,), {}), ((1, "t"), {}), ((1,), {"third": 3}), ((), {"first": 4, "second": "u"})):
        ours, theirs = Ours(*arguments, **named), Theirs(*arguments, **named)
        assert ours == theirs
        assert hash(ours) == hash(theirs)
        assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
        assert ours._asdict() == theirs._asdict()
        assert ours._replace(second="z") == theirs._replace(second="z")
        assert (ours.first, ours.second, ours.third) == tuple(theirs)
    assert (Ours._fields, Ours.__doc__, Ours.__mro__[1:]) == (Theirs._fields, Theirs.__doc__, Theirs.__mro__[1:])
    assert Ours._make([1, 2, 3]) == (1, 2, 3)
    assert isinstance(Ours._make([1, 2, 3]), Ours)
    assert Ours(3).double == 6


def test_a_first_call_may_fail() -> None:
    class Fresh(NamedTuple):
        first: int

    for _ in range(2):
        with pytest.raises(TypeError, match="first"):
            Fresh()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Fresh(1)._replace(second=2)
    with pytest.raises(AttributeError):
        Fresh(1).first = 2  # type: ignore[misc]
    assert not hasattr(Fresh(1), "__dict__")


def test_copies_before_the_first_call() -> None:
    class Untouched(NamedTuple):
        first: int
        second: int = 2

    made = tuple.__new__(Untouched, (5, 6))
    assert copy.copy(made) == made
    assert pickle.loads(pickle.dumps(Ours(1))) == Ours(1)


def test_patterns_match() -> None:
    match Ours(1, "t"):
        case Ours(first, second):
            assert (first, second) == (1, "t")
