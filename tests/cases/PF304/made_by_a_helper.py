# options: unsafe
"""A helper with nothing at hand makes a tensor: it is moved where the module that calls it has its input."""
import torch
from torch import nn


def causal(n):
    mask = torch.zeros(n, n)
    for i in range(n):
        mask[i, : i + 1] = 1
    return mask


class Kept(nn.Module):
    def __init__(self):
        super().__init__()
        self.mask = None

    def forward(self, x):
        if self.mask is None:
            self.mask = self.make(x.size(1))  # want: PF304
        return x * self.mask

    def make(self, n):
        mask = torch.ones((n, n))
        mask[0, 0] = 2
        return mask


class Masked(nn.Module):
    def forward(self, x):
        return x.masked_fill(causal(x.size(1)) == 0, -1.0)  # want: PF304


class Guided(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = None

    def forward(self, x, lengths):
        if self.weights is None:
            self.weights = self.make(lengths)  # want: PF304 unsafe
        return (x * self.weights).sum()

    def make(self, lengths):
        weights = torch.zeros((len(lengths), max(lengths)))
        for i, n in enumerate(lengths):
            weights[i, :n] = 1
        return weights
# run: from drive import device
# run: x = torch.ones(2, 2).to(device)
# run: print(Kept()(x).sum().item(), Masked()(x).sum().item(), Guided()(x, [1, 2]).item())
