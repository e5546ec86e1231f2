"""Parameters that may be ModuleLists, hold no modules, or whose modules are registered; methods that register; classes of no module."""
from typing import Dict, List

import torch
from torch import nn


class Part(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, 1)

    def forward(self, x):
        return self.layer(x)


class Named(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Registered(nn.Module):
    def __init__(self, parts: Dict[str, Part], more: List[Part]):
        super().__init__()
        self.first = parts["first"]
        self.parts = parts
        self.chain = nn.Sequential(*more)
        self.more = more

    def forward(self, x):
        return self.parts["first"](x) + self.more[0](x)


class Sizes(nn.Module):
    def __init__(self, *layers, sizes: List[int] = ()):
        super().__init__()
        self.layers = layers
        self.sizes = sizes
        self.net = self._make()

    def _make(self):
        return nn.Sequential(*(nn.Linear(size, self.layers[0]) for size in self.sizes))

    def forward(self, x):
        return self.net(x)


class ByMethod(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = None
        self._make(width)
        self.all = nn.ModuleList(self.layers)

    def _make(self, width):
        self.layers = [nn.Linear(width, width)]

    def forward(self, x):
        return self.layers[0](x)


class Trainer:
    def __init__(self, models: List[nn.Module]):
        self.models = models

    def forward(self, x):
        return [model(x) for model in self.models]


print(Named(nn.ModuleList([nn.Linear(2, 2)]))(torch.ones(1, 2)), Sizes(2, sizes=[3]), ByMethod(2), Trainer([]))
