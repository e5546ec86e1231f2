"""A device at hand that may be None, and no weight that is sure to be there."""
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, n, layers):
        super().__init__()
        self.norm = nn.BatchNorm1d(n, affine=False)
        self.layers = nn.ModuleList(layers)
        self.out = nn.Linear(n, n)
        self.out = self.layers[0]

    def start(self, count, device=None):
        print(device)
        return torch.zeros(count, 3).cuda()  # want: PF401 report


class Agent:
    def __init__(self, n):
        self.out = nn.Linear(n, n)

    def start(self, count, device=None):
        print(device)
        return torch.zeros(count, 3).cuda()  # want: PF401 report


def start(count, device=None):
    print(device)
    return torch.zeros(count, 3).cuda()  # want: PF401 report
