# options: unsafe
# before: clean: nothing is placed
"""Containers in classes that register other parts by name, replace `_apply`, or fill them later; and names that are bound to themselves."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return x + self.inner(x)


class Bridge(nn.Module):
    def __init__(self, width, count):
        super().__init__()
        for number in range(count):
            gate = nn.Linear(width, width)
            self.add_module(f"gate{number}", gate)
        self._make_bridge(width)

    def _make_bridge(self, width):
        self.bridge = nn.ModuleList([nn.Linear(width, width) for _ in range(2)])  # want: PF306 unsafe

    def forward(self, x):
        return self.gate0(x) + self.bridge[0](x)


class Applied(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.convs = nn.ModuleList([nn.Linear(width, width)])  # want: PF306 unsafe

    def _apply(self, function):
        for child in self.children():
            child._apply(function)
        return self

    def forward(self, x):
        return self.convs[0](x)


class Filled(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width)])  # want: PF306 unsafe

    def append(self, layer):
        self.layers.append(layer)

    def replace(self, number, layer):
        self.layers[number] = layer

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Wrapped(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList()  # want: PF306 unsafe
        for _ in range(2):
            layer = nn.Tanh()
            layer = Block(layer)
            self.layers.append(nn.Sequential(nn.Linear(width, width), layer))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class WithoutParameters(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = []
        for _ in range(2):
            layer = nn.Tanh()
            layer = Block(layer)
            self.layers.append(layer)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


filled = Filled(4)
filled.append(nn.Linear(4, 4))
filled.replace(0, nn.Linear(4, 4))
print([net(torch.ones(1, 4)) for net in (Bridge(4, 1), Applied(4), filled, Wrapped(4), WithoutParameters())])
