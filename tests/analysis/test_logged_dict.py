"""The keys in which copies of a dict may differ."""

from __future__ import annotations

import random

from placefix.facts.interpret.logged_dict import LoggedDict


def test_written_since_the_copy() -> None:
    one: LoggedDict[str, int] = LoggedDict({"a": 1, "b": 2})
    two = one.copy()
    assert list(one.may_differ(two)) == []
    two["c"] = 3
    del one["a"]
    assert set(one.may_differ(two)) == set(two.may_differ(one)) == {"a", "c"}
    assert one == {"b": 2}
    assert two == {"a": 1, "b": 2, "c": 3}


def test_without_a_common_origin() -> None:
    one: LoggedDict[str, int] = LoggedDict({"a": 1})
    two: LoggedDict[str, int] = LoggedDict({"b": 1})
    assert set(one.may_differ(two)) == {"a", "b"}
    assert set(LoggedDict[str, int]().may_differ(two)) == {"b"}


def test_any_copies() -> None:
    """All keys in which any two of many copies differ are among those that may; the keys of one long dict are not all of them."""
    rng = random.Random(1)
    dicts: list[LoggedDict[int, int]] = [LoggedDict(dict.fromkeys(range(1000), 0))]
    fewer = 0
    for _ in range(400):
        one, two = rng.choice(dicts), rng.choice(dicts)
        differing = {key for key in one.keys() | two.keys() if one.get(key) != two.get(key)}
        may = set(one.may_differ(two))
        assert differing <= may
        fewer += len(may) < 200
        key = rng.randrange(1000)
        if rng.random() < 0.2:
            one.update({key: rng.randrange(3)})
        elif key in two:
            del two[key]
        else:
            two.setdefault(key, 1)
        if rng.random() < 0.3:
            dicts.append(rng.choice(dicts).copy())
    assert fewer == 400
