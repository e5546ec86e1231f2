"""One measure."""

from collections.abc import Sequence


def accuracy_score(truth: Sequence[int], found: Sequence[int]) -> float:
    """The share that agrees."""
    return sum(int(a == b) for a, b in zip(truth, found)) / len(truth)
