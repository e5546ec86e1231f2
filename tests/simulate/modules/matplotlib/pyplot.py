"""Draws nothing, but takes only what can be drawn."""

from typing import Any

import numpy


def ion() -> None:
    """Nothing to see."""


def plot(*arrays: Any, **options: Any) -> None:
    """Arrays, or things that turn into them."""
    for array in arrays:
        numpy.asarray(array)


scatter = plot
