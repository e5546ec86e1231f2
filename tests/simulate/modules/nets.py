"""Somebody's networks."""

from torch import nn


class Generator(nn.Linear):
    """As wide as it is told."""

    def __init__(self, width: int) -> None:
        super().__init__(width, width)
