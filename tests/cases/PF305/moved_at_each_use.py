# options: unsafe
# Each method that reads an attribute on a device moves it there, or reads it as it is for the CPU alone.
import torch
from torch import nn


class Helper(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.mask = torch.ones(n)
        self.head = nn.Linear(n, n)

    def placed(self, device):
        if device.type == "cpu":
            return self.mask
        return self.mask.to(device)

    def forward(self, x):
        return self.head(x) * self.placed(x.device)


class Flag(nn.Module):
    def __init__(self, n, use_cuda):
        super().__init__()
        self.use_cuda = use_cuda
        self.mask = torch.ones(n)
        self.head = nn.Linear(n, n)

    def forward(self, x):
        if self.use_cuda:
            return self.head(x) * self.mask.cuda()
        return self.head(x) * self.mask


class Tried(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.mask = torch.ones(n)
        self.head = nn.Linear(n, n)

    def forward(self, x):
        try:
            return self.head(x) * self.mask
        except RuntimeError:
            return self.head(x) * self.mask.to(x.device)


class OnHost(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.mask = torch.ones(n)
        self.head = nn.Linear(n, n)

    def forward(self, x):
        return self.head(x) * self.mask.to(x.device)

    def on_host(self, x):
        return x.cpu() * self.mask
