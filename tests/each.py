"""One test for many small items: a test for each of thousands costs pytest more time than the checks themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Item = TypeVar("Item")


def check_each(check: Callable[[Item], object], items: Iterable[Item], label: Callable[[Item], object] = str) -> None:
    """Call `check` with each item. Raises one AssertionError that lists all items whose check failed, each with its error."""
    checked, failures = 0, []
    for item in items:
        checked += 1
        try:
            check(item)
        except Exception as error:
            failures.append(f"{label(item)}: {type(error).__name__}: {error}")
    assert checked, "there is nothing to check"
    if failures:
        raise AssertionError(f"{len(failures)} of {checked} fail:\n\n" + "\n\n".join(failures))
