"""What a helper makes is moved already, is an index or a number, or is only given back."""
import torch
from torch import nn


def causal(n):
    mask = torch.zeros(n, n)
    mask[0, 0] = 1
    return mask


def order(n):
    rows = torch.arange(n)
    return rows


class Moved(nn.Module):
    def forward(self, x):
        mask = causal(x.size(1)).to(x.device)
        return x * mask


class Picked(nn.Module):
    def forward(self, x):
        return x[order(x.size(0))]


class Handed(nn.Module):
    def forward(self, x):
        return x + 1, causal(x.size(1))


class Known(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mask", causal(2))

    def forward(self, x):
        return x * self.mask


class Copied(nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x)
        y[:] = causal(x.size(1))
        return y * x


class OnTheCpu(nn.Module):
    def forward(self, x):
        shown = x.cpu() * causal(x.size(1))
        return x, shown.sum().item()
