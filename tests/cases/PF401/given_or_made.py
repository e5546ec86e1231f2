"""What a function is given on one way and makes on CUDA on the other goes to code that is not seen to take both alike."""
import torch
from torch import nn


class Q(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = nn.Parameter(c)

    def forward(self, x):
        return x @ self.c


def build(c, random):
    if random:
        c = torch.rand(c.size())
        c = c.cuda()  # want: PF401 unsafe
    return Q(c)


def returned(mask, x):
    if mask is None:
        mask = torch.ones(3).cuda()  # want: PF401 unsafe
    return mask


def kept(store, c, random):
    if random:
        c = torch.rand(3).cuda()  # want: PF401 unsafe
    store["c"] = c
