"""Copies that are buffers or parameters, that are moved where they are used, that meet nothing, or that are no copies."""
import torch
from torch import nn
from torch.nn import functional as F


class Registered(nn.Linear):
    def __init__(self, width):
        super().__init__(width, width)
        self.register_buffer("mask", torch.ones_like(self.weight))
        self.gain = nn.Parameter(self.bias.data.clone())

    def forward(self, x):
        return F.linear(x, self.weight * self.mask, self.bias * self.gain)


class Moved(nn.Linear):
    def __init__(self, width):
        super().__init__(width, width)
        self.mask = torch.ones_like(self.weight)

    def forward(self, x):
        return F.linear(x, self.weight * self.mask.to(x.device), self.bias)


class Sized(nn.Linear):
    def __init__(self, width):
        super().__init__(width, width)
        self.start = self.weight.data.clone()

    def forward(self, x):
        return F.linear(x, self.weight) / self.start.numel()


class Shared(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.weight = self.first.weight

    def forward(self, x):
        return F.linear(x, self.weight)


class MadeLater(nn.Linear):
    def __init__(self, width):
        super().__init__(width, width)
        self.mask = None

    def freeze(self):
        self.mask = torch.ones_like(self.weight)

    def forward(self, x):
        return F.linear(x, self.weight * self.mask, self.bias)


class OfNumber(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.start = self.scale.detach().clone()

    def forward(self, x):
        return x * self.scale * self.start


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
later = MadeLater(4).to(device)
later.freeze()
for net in (Registered(4), Moved(4), Sized(4), Shared(4), later, OfNumber()):
    print(net.to(device)(torch.ones(4, 4).to(device)).shape)
