# options: unsafe
"""Tensors that a constructor makes of the module's own parameters: they are on the CPU when the module is placed."""
import torch
from torch import nn
from torch.nn import functional as F


class Conv(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width, width, 3))

    def forward(self, x):
        return F.conv1d(x, self.weight, padding=1)


class Masked(Conv):
    def __init__(self, width):
        super().__init__(width)
        self.register_buffer("mask", self.weight.data.clone(), persistent=False)  # want: PF305 unsafe
        self.mask[:, :, 2:] = 0.0

    def forward(self, x):
        self.weight.data *= self.mask
        return super().forward(x)


class MaskedLinear(nn.Linear):
    def __init__(self, width):
        super().__init__(width, width)
        self.register_buffer(
            "mask", torch.tril(torch.ones_like(self.weight)), persistent=False
        )  # want: PF305 unsafe

    def forward(self, x):
        return F.linear(x, self.weight * self.mask, self.bias)


class Anchored(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.register_buffer(
            "start", self.linear.weight.detach().clone(), persistent=False
        )  # want: PF305 unsafe

    def penalty(self):
        return ((self.linear.weight - self.start) ** 2).sum()

    def forward(self, x):
        return self.linear(x) + self.penalty()


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
for net in (Masked(4), MaskedLinear(4), Anchored(4)):
    print(net.to(device)(torch.ones(4, 4).to(device)).shape)
