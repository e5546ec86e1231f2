"""The simulator's tests need a torch that it was tried on; without one they are skipped, and say why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from placefix.simulate import installation
from placefix.simulate.client import Simulator

if TYPE_CHECKING:
    from collections.abc import Iterator

REASON = installation.why_unsupported()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip everything here where the simulator does not run."""
    if REASON is not None:
        for item in items:
            if "simulate" in item.path.parts:
                item.add_marker(pytest.mark.skip(reason=REASON))


@pytest.fixture(scope="session")
def simulator() -> Iterator[Simulator]:
    """One server for all scripts of a worker: they run in forks of it."""
    with Simulator() as running:
        yield running
