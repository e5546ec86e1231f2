# Containers that the class fills, and whose modules are registered, placed or owned elsewhere.
import copy

import torch
from torch import nn


class ByAttribute(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)
        self.both = [self.first, self.second]

    def forward(self, x):
        for layer in self.both:
            x = layer(x)
        return x


class ByName(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = []
        for _ in range(2):
            layer = nn.Linear(width, width)
            self.last = layer
            self.layers.append(layer)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class InSequence(nn.Module):
    def __init__(self, width):
        super().__init__()
        layers = []
        for _ in range(2):
            layers.append(nn.Linear(width, width))
        self.body = nn.Sequential(*layers)
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Frozen(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.teachers = [nn.Linear(width, width)]
        for teacher in self.teachers:
            teacher.eval()
        self.student = nn.Linear(width, width)

    def forward(self, x):
        return self.student(x) - self.teachers[0](x)


class MovedInPairs(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.pairs = []
        for _ in range(2):
            self.pairs.append(nn.ModuleList([nn.Linear(width, width), nn.LayerNorm(width)]))

    def forward(self, x):
        for layer, norm in self.pairs:
            x = norm.to(x.device)(layer.to(x.device)(x))
        return x


class Given(nn.Module):
    def __init__(self, layers, other):
        super().__init__()
        self.layers = layers
        self.more = [*layers]
        self.others = [other for _ in range(2)]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.more[0](x) + self.others[0](x)


class WithoutParameters(nn.Module):
    def __init__(self):
        super().__init__()
        self.pools = list(nn.MaxPool2d(size) for size in (2, 3))

    def forward(self, x):
        return [pool(x) for pool in self.pools]


class Placed(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.experts = {}
        for name in ("a", "b"):
            self.experts[name] = nn.Linear(width, width)

    def place(self, device):
        for expert in self.experts.values():
            expert.to(device)

    def forward(self, x):
        return self.experts["a"](x) + self.experts["b"](x)


class Optimised(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.parts = [copy.deepcopy(nn.Linear(width, width)) for _ in range(2)]
        self.optimizer = torch.optim.SGD([p for part in self.parts for p in part.parameters()], lr=0.1)

    def forward(self, x):
        return self.parts[1](self.parts[0](x))
