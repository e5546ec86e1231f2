"""A plain tensor goes to where the input is, gives only its type, or is a number; or the input is moved on."""
import torch
from torch import nn


class Moved(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.tensor([0.0, 1.0])

    def forward(self, x):
        return x + self.table.to(x)


class OfItsType(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.tensor([0.0, 1.0])

    def forward(self, x):
        return x.to(self.table.dtype)


print(Moved()(torch.ones(2)), OfItsType()(torch.ones(2)))
