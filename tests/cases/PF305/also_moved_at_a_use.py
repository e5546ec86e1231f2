# options: unsafe
# A method moves an attribute where it reads it once, and reads it unmoved as well.
import torch
from torch import nn


class Shifted(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.mean = torch.ones(n)  # want: PF305 report
        self.head = nn.Linear(n, n)

    def forward(self, x):
        y = self.head(x - self.mean)
        return y + self.mean.to(x.device)


class Often(nn.Module):
    def __init__(self, n, shifts):
        super().__init__()
        self.shifts = shifts
        self.mean = torch.ones(n)  # want: PF305 report
        self.head = nn.Linear(n, n)

    def forward(self, x):
        if self.shifts:
            x = x - self.mean
        y = self.head(x)
        if self.shifts:
            y = y + self.mean.to(x.device)
        return y
