"""Optimizers that go parameter by parameter, as a CPU's do; CUDA's take all at once, and round otherwise."""

import sys

import torch
from torch.optim import optimizer


def _default_to_fused_or_foreach(
    params: list[torch.Tensor], differentiable: bool, use_fused: bool = False
) -> tuple[bool, bool]:
    # With the signature of the one it replaces: torch.distributed.optim compiles it.
    return False, False


def disable_foreach() -> None:
    """Make them the default in this process."""
    name = _default_to_fused_or_foreach.__name__
    for module in [optimizer, *sys.modules.values()]:
        if getattr(module, "__name__", "").startswith("torch.optim.") and hasattr(module, name):
            setattr(module, name, _default_to_fused_or_foreach)
