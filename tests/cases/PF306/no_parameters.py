import torch
from torch import nn


class Pools(nn.Module):
    """Nothing in it to move or to train."""

    def __init__(self):
        super().__init__()
        self.pools = [nn.MaxPool2d(2), nn.AvgPool2d(2)]
        self.sizes = [2, 4]
        self.steps = [torch.relu, nn.Linear]

    def forward(self, x):
        return sum(pool(x) for pool in self.pools) * self.sizes[0]


class Early(nn.Module):
    """Nothing can be registered before the constructor of nn.Module has run."""

    def __init__(self):
        self.layers = [nn.Linear(4, 4)]
        super().__init__()

    def forward(self, x):
        return self.layers[0](x)


class Never(nn.Module):
    """They are made and not called."""

    def __init__(self):
        super().__init__()
        self.spare = [nn.Linear(4, 4)]
        self.numbered = {1: nn.Linear(4, 4)}

    def forward(self, x):
        return self.numbered[1](x)


class Plain:
    """No module at all."""

    def __init__(self):
        self.layers = [nn.Linear(4, 4)]

    def forward(self, x):
        return self.layers[0](x)
