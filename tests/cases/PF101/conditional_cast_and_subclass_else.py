# A class derived from DDP that places its module itself, a cast of a placed module, a module that the property chooses.
import typing

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Placing(DDP):
    def __init__(self, module, rank):
        super().__init__(module.to(rank), device_ids=[rank])


def placing(task, rank):
    wrapped = Placing(task, rank)
    wrapped.to(rank)
    return wrapped


def cast(build, rank, world_size):
    model = typing.cast(nn.Module, build().to(rank))
    if world_size > 1:
        model = typing.cast(nn.Module, DDP(model, device_ids=[rank]))
    model.to(rank)
    return model


class Chosen:
    def __init__(self, build, rank, world_size):
        self.one = build()
        self.two = build().to(rank)
        if world_size > 1:
            self.two = DDP(self.two, device_ids=[rank])
        self.model.to(rank)

    @property
    def model(self):
        return self.one


def exclusive(task, rank, world_size):
    if world_size > 1:
        task = DDP(task.to(rank), device_ids=[rank])
    else:
        task.to(rank)
    return task
