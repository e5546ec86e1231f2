"""The tests print the same wherever they run."""

import gc
import os

import pytest

os.environ.pop("GITHUB_ACTIONS", None)  # output for its log has lines of its own


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the long tests first: begun last, one would keep a single process busy when the others are done."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep the modules and the collected tests out of each later collection of garbage."""
    gc.collect()
    gc.freeze()
