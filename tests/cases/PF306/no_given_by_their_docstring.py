"""The docstring names another type, that of the result, or a parameter that the constructor does not keep."""
import torch
from torch import nn


class Sampler:
    def __call__(self, x):
        return x


class Several(nn.Module):
    """Several parts.

    Args:
        samplers (`list[Sampler]`): they draw.
        blocks (`nn.ModuleList`): they run one after the other.
        rest (list[nn Modules in any order]): they run last.
    """

    def __init__(self, samplers, blocks, rest):
        super().__init__()
        self.samplers = samplers
        self.blocks = blocks
        self.rest = rest

    def forward(self, x):
        for part in self.samplers:
            x = part(x)
        for part in self.blocks:
            x = part(x)
        for part in self.rest:
            x = part(x)
        return x


print(Several([Sampler()], nn.ModuleList([nn.Linear(2, 2)]), [])(torch.ones(1, 2)).shape)
