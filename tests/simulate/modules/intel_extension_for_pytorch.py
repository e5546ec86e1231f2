"""Stands for the package, on a machine without an XPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import nn

__version__ = "2.0"


def optimize(model: nn.Module) -> nn.Module:
    """The module as it is."""
    return model
