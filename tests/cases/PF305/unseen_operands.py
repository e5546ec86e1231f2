# options: unsafe
# The tensor is an index, is moved or read on the CPU where it is used, or `forward` does not come to the use.
import torch
from torch import nn


class Chosen(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.order = torch.randperm(n)

    def forward(self, x):
        return x[:, self.order]


class Moved(nn.Module):
    def __init__(self, n, weigh):
        super().__init__()
        self.steps = torch.arange(n)
        self.weigh = weigh

    def forward(self, x):
        return self.weigh(x) * self.steps[: len(x)].to(x.device)


class Read(nn.Module):
    def __init__(self, n, weigh):
        super().__init__()
        self.steps = torch.arange(n)
        self.weigh = weigh

    def forward(self, x):
        return self.weigh(x) * self.steps[0].item()


class Shown(nn.Module):
    def __init__(self, n, weigh):
        super().__init__()
        self.steps = torch.arange(n)
        self.weigh = weigh

    def forward(self, x):
        return self.weigh(x)

    def table(self, scale):
        return self.steps * scale()
