"""Somebody's models, by their names."""

from typing import Any

from torch import nn


def load(name: str, device: Any) -> nn.Module:
    """On the device already."""
    return nn.Linear(2, 1).to(device)
