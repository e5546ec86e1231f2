"""A stand-in for einops: the patterns of the cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def rearrange(tensor: torch.Tensor, pattern: str) -> torch.Tensor:
    """``n -> n 1``, ``n -> 1 n`` or ``b n -> n b``."""
    if pattern == "b n -> n b":
        return tensor.T
    return tensor[:, None] if pattern == "n -> n 1" else tensor[None, :]


def repeat(tensor: torch.Tensor, pattern: str, *, b: int) -> torch.Tensor:
    """``n -> b n``."""
    assert pattern == "n -> b n"
    return tensor[None, :].repeat(b, 1)
