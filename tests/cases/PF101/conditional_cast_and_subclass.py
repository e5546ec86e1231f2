# A wrap under a condition, in a cast, by a class derived from DDP, or of a property's module; the module comes from elsewhere.
import typing

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Quiet(DDP):
    pass


class Cast:
    def __init__(self, build, rank, world_size):
        self._model = build()
        if world_size > 1:
            self._model = typing.cast(nn.Module, DDP(self._model, device_ids=[rank]))  # want: PF101 warning
        self.model.to(rank)

    @property
    def model(self):
        return self._model.module if isinstance(self._model, DDP) else self._model


class Conditional:
    def __init__(self, build, rank, world_size):
        self.model = build()
        if world_size > 1:
            self.model = DDP(self.model, device_ids=[rank])  # want: PF101 warning
        self.model.to(rank)


def derived(task, rank):
    wrapped = Quiet(task, device_ids=[rank])  # want: PF101 warning
    wrapped.to(rank)
    return wrapped


def parameter(task, rank, world_size):
    if world_size > 1:
        task = DDP(task, device_ids=[rank])  # want: PF101 warning
    task.to(rank)
    return task
# machines: 2
# run: import ranks
# run: ranks.run(lambda rank: Cast(lambda: nn.Linear(6, 2), rank, 2)._model)
# run: ranks.run(lambda rank: Conditional(lambda: nn.Linear(6, 2), rank, 2).model)
# run: ranks.run(lambda rank: derived(nn.Linear(6, 2), rank))
# run: ranks.run(lambda rank: parameter(nn.Linear(6, 2), rank, 2))
