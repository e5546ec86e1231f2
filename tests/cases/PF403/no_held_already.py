"""Without the move the guard gives something else than what the name has, or may."""
# run: print(copied(nn.Linear(3, 2), False), between(nn.Linear(3, 2), False), Kept(nn.Linear(3, 2), False).model is None, rebound(nn.Linear(3, 2), False))
import copy

import torch
from torch import nn


def copied(net: nn.Module, use_cuda):
    best = copy.deepcopy(net)
    if use_cuda:  # want: PF403 note
        best = net.cuda()
    return best.training


def between(net: nn.Module, use_cuda):
    best = net
    for _ in range(2):
        best = nn.Sequential(best)
    if use_cuda:  # want: PF403 note
        best = net.cuda()
    return best.training


def rebound(net: nn.Module, use_cuda):
    best = net
    net = nn.Sequential(net)
    if use_cuda:  # want: PF403 note
        best = net.cuda()
    return best.training


class Kept:
    def __init__(self, model: nn.Module, use_cuda: bool) -> None:
        self.model = model
        self.reset()
        if use_cuda:  # want: PF403 note
            self.model = model.cuda()

    def reset(self):
        self.model = None


class Base:
    def __init__(self):
        self.model = None


class Inherited(Base):
    def __init__(self, model: nn.Module, use_cuda: bool) -> None:
        self.model = model
        super().__init__()
        if use_cuda:  # want: PF403 note
            self.model = model.cuda()
