import torch
from torch import nn


class Right(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mask", torch.ones(4))
        self.weight = nn.Parameter(torch.ones(4))
        mean = torch.zeros(4)
        self.register_buffer("mean", mean, persistent=False)

    def forward(self, x):
        return (x.view(-1, 4) - self.mean) * self.mask * self.weight
