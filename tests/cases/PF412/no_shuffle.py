# `shuffle` depends on the sampler, or is False, or the sampler may be None.
import torch
from torch.utils.data import DataLoader, RandomSampler
from torch.utils.data.distributed import DistributedSampler


def loaders(data, distributed, given):
    sampler = DistributedSampler(data) if distributed else None
    other = None
    if distributed:
        other = RandomSampler(data)
    return [
        DataLoader(data, sampler=sampler, shuffle=sampler is None),
        DataLoader(data, sampler=RandomSampler(data), shuffle=False),
        DataLoader(data, sampler=other, shuffle=True),
        DataLoader(data, sampler=given, shuffle=True),
        DataLoader(data, sampler=None, shuffle=True),
    ]
