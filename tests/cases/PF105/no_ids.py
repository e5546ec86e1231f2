# A module on the CPU without device_ids trains with gloo; ids that a test chooses are not known.
import os

from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def bare():
    return DDP(nn.Linear(3, 2))


def none():
    return DDP(nn.Linear(3, 2), device_ids=None)


def empty():
    return DDP(nn.Linear(3, 2), device_ids=[])


def chosen(cuda, rank):
    return DDP(nn.Linear(3, 2), device_ids=[rank] if cuda else None)


def given(ids):
    return DDP(nn.Linear(3, 2), device_ids=ids)


def read():
    return DDP(nn.Linear(3, 2), device_ids=[int(n) for n in os.environ["IDS"].split(",")])
