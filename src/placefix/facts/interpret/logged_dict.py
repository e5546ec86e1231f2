"""Dicts that know in which keys they may differ from a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_K = TypeVar("_K")
_V = TypeVar("_V")


# A write to a dict: its key, the write before it, and how many there have been. A plain tuple, which is made in a tenth of the time of a
# NamedTuple: the interpreter makes one at each assignment.
_Write: TypeAlias = "tuple[object, _Write | None, int]"


class LoggedDict(dict[_K, _V], Generic[_K, _V]):
    """A dict that logs the keys that are written, as a linked list. A copy shares the list up to there, so that the differences of
    two dicts with a common origin are found in the time of the writes since then, however large the dicts are. `pop`, `popitem` and
    `clear` are not logged and must not be called."""

    __slots__ = ("_last",)

    def __init__(self, items: Mapping[_K, _V] | None = None) -> None:
        super().__init__()
        self._last: _Write | None = None
        if items:
            self.update(items)

    def _log(self, key: object) -> None:
        last = self._last
        self._last = (key, last, 1 if last is None else last[2] + 1)

    def __setitem__(self, key: _K, value: _V) -> None:
        self._log(key)
        dict.__setitem__(self, key, value)

    def __delitem__(self, key: _K) -> None:
        self._log(key)
        super().__delitem__(key)

    def setdefault(self, key: _K, default: _V) -> _V:
        """As of a dict."""
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, items: Mapping[_K, _V]) -> None:  # type: ignore[override]
        """Write all `items`."""
        for key, value in items.items():
            self[key] = value

    def copy(self) -> LoggedDict[_K, _V]:
        """A copy, with the same log."""
        other: LoggedDict[_K, _V] = LoggedDict()
        dict.update(other, self)
        other._last = self._last
        return other

    def may_differ(self, other: LoggedDict[_K, _V]) -> Iterable[_K]:
        """The keys in which this dict and `other` may differ: those that were written since one of them was copied."""
        one, two = self._last, other._last
        keys: dict[object, None] = {}
        while one is not two:
            if two is None or (one is not None and one[2] > two[2]):
                assert one is not None
                key, one, _ = one
            else:
                key, two, _ = two
            keys[key] = None
        return cast("list[_K]", list(keys)[::-1])
