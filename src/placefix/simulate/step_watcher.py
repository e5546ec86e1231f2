"""The optimizers, modules and steps of a run."""

from __future__ import annotations

import gc
import struct
from typing import Any


class EnoughSteps(BaseException):
    """The requested number of optimizer steps has been made."""


class StepWatcher:
    """Records the optimizers, modules and steps of a run, by hooks of torch.optim.

    limit: the number of steps after which the script stops. counter: 8 bytes that get the number of steps.
    """

    def __init__(self, limit: int | None, counter: Any = None) -> None:
        self.limit = limit
        self.counter = counter
        self.steps = 0
        self.has_autocast = False  # whether the script enabled autocast for a device
        self.optimizers: list[Any] = []
        self.modules: list[Any] = []
        self.before: dict[int, Any] = {}
        self.rank: Any = None  # the RankWatch of a process that may join a process group
        self.made: dict[int, str] = {}  # the place where an optimizer was made, such as "train.py:19", by its identity

    def before_step(self, optimizer: Any, args: Any, options: Any) -> None:
        """Remember the parameters as they were before the first step."""
        if self.rank is not None:
            self.rank.before_step(optimizer)
        if any(optimizer is known for known in self.optimizers):
            return
        self.optimizers.append(optimizer)
        mine = {id(p) for p in parameters_of(optimizer)}
        for parameter in parameters_of(optimizer):
            self.before[id(parameter)] = parameter.detach().clone()
        for module in root_modules():
            if not any(module is known for known in self.modules) and any(id(p) in mine for p in module.parameters()):
                self.modules.append(module)

    def after_step(self, optimizer: Any, args: Any, options: Any) -> None:
        """Count, and stop when it is enough."""
        self.steps += 1
        if self.rank is not None:
            self.rank.after_step(optimizer)
        if self.counter is not None:
            self.counter[:8] = struct.pack("q", self.steps)
        if self.limit is not None and self.steps >= self.limit:
            raise EnoughSteps


def parameters_of(optimizer: Any) -> list[Any]:
    """The parameters of all groups of an optimizer."""
    return [parameter for group in optimizer.param_groups for parameter in group["params"]]


def root_modules() -> list[Any]:
    """The modules that are part of no other."""
    import torch

    modules = [thing for thing in gc.get_objects() if issubclass(type(thing), torch.nn.Module)]
    inner = {id(child) for module in modules for child in module._modules.values() if child is not None}
    return [module for module in modules if id(module) not in inner and hasattr(module, "_parameters")]
