# The last element may move its result, or nothing is known of it: then nothing is known of the result of the Sequential.
import torch
from torch import nn
from somewhere import Gather


class ToHost(nn.Module):
    def forward(self, x):
        return x.cpu()


class Heads(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.hosted = nn.Sequential(nn.Linear(4, 3), ToHost())
        self.unknown = nn.Sequential(nn.Linear(4, 3), Gather())
        self.given = nn.Sequential(nn.Linear(4, 3), *layers)
        self.grown = nn.Sequential(nn.Linear(4, 3))
        self.grown.append(ToHost())
        self.replaced = nn.Sequential(nn.Linear(4, 3), nn.ReLU())
        self.replaced[1] = ToHost()
        self.elsewhere = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 3, device="cpu"))
        self.scale = torch.full((3,), 2.0)

    def forward(self, x):
        y = self.hosted(x) * self.scale
        y = y + self.unknown(x).cpu() * self.scale
        y = y + self.given(x).cpu() * self.scale
        y = y + self.grown(x) * self.scale
        y = y + self.replaced(x) * self.scale
        return y + self.elsewhere(x.cpu()) * self.scale
