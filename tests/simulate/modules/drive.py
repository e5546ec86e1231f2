"""What the drivers of cases need."""

from __future__ import annotations

from typing import Any

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def step(*optimizers: Any) -> None:
    """One step with gradients of ones, and the sum of what it makes of the parameters."""
    for optimizer in optimizers:
        parameters = [p for group in optimizer.param_groups for p in group["params"]]
        for p in parameters:
            p.grad = torch.ones_like(p)
        optimizer.step()
        print(float(sum(p.detach().cpu().sum() for p in parameters)))


def save(path: str, **things: Any) -> None:
    """A checkpoint of modules, of optimizers that have made a step, and of plain values."""
    for thing in things.values():
        if isinstance(thing, torch.optim.Optimizer):
            step(thing)
    torch.save({k: v.state_dict() if hasattr(v, "state_dict") else v for k, v in things.items()}, path)
