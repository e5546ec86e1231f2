"""Images that are numbers made from their names."""

from typing import Any

import numpy


class _Image:
    def __init__(self, path: str) -> None:
        self.seed, self.shape = len(path), (8, 8)

    def convert(self, mode: str) -> "_Image":
        """In colours."""
        self.shape = (8, 8, 3)
        return self

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return numpy.random.default_rng(self.seed).integers(0, 3, self.shape, dtype=numpy.uint8)


def open(path: str) -> _Image:
    """No file is read."""
    return _Image(path)
