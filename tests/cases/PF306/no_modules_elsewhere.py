"""Objects that nothing shows to be modules with parameters, and modules whose container is given away."""
import torch
from grids import Grid
from torch import nn


class Pool(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = torch.Size([size])
        self.pool = nn.MaxPool2d(size)

    def forward(self, x):
        return self.pool(x)


class Anchors(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.grids = [Grid(size) for size in sizes]
        self.pools = [Pool(size) for size in sizes]
        self.acts = [nn.ReLU() if size else None for size in sizes]
        self.none = [None for size in sizes]

    def forward(self, x):
        found = [grid(x) for grid in self.grids]
        for pool, act, none in zip(self.pools, self.acts, self.none):
            x = act(pool(x)) if none is None else none(x)
        return x, found


class Whole(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = [nn.Linear(width, width)]

    def parts(self):
        return self.layers

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


whole = Whole(4)
chain = nn.Sequential(*whole.parts())
print(Anchors([2]), chain)
