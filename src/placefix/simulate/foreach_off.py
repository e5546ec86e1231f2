"""Optimizers that go parameter by parameter, as a CPU's do; CUDA's take all at once, and round otherwise."""

import sys

import torch
import torch.optim


def _default_to_fused_or_foreach(
    params: list[torch.Tensor], differentiable: bool, use_fused: bool = False
) -> tuple[bool, bool]:
    # With the signature of the one it replaces: torch.distributed.optim compiles it.
    return False, False


# Found once, before a fork: a look at each module writes its reference count, and a fork then copies the page.
_OPTIMIZERS = [
    module
    for name, module in sys.modules.items()
    if name.startswith("torch.optim.") and hasattr(module, _default_to_fused_or_foreach.__name__)
]


def disable_foreach() -> None:
    """Make them the default in this process."""
    for module in _OPTIMIZERS:
        setattr(module, _default_to_fused_or_foreach.__name__, _default_to_fused_or_foreach)
