# options: unsafe
# before: clean: nothing is placed
"""Modules that the constructor is given as a list or dict, or that a method makes for it; and a class without a forward."""
from collections.abc import Mapping
from typing import List

import torch
from torch import nn


class Part(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, 1)

    def forward(self, x):
        return self.layer(x)


class Heads(nn.Module):
    def __init__(self, heads: List[nn.Module], named: Mapping[str, Part], *parts: Part):
        super().__init__()
        self.heads = nn.ModuleList(heads)  # want: PF306 unsafe, warning
        self.named = nn.ModuleDict(named)  # want: PF306 unsafe, warning
        self.parts = nn.ModuleList(parts)  # want: PF306 unsafe, warning
        self.count = len(heads)

    def forward(self, x):
        return sum(head(x) for head in self.heads) + self.named["first"](x) + self.parts[0](x)


class Chain(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.layers = nn.ModuleList(list(layers))  # want: PF306 unsafe, warning

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Encoder(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.width = width
        self._make_blocks(depth)

    def _make_blocks(self, depth):
        self.blocks = nn.ModuleList([nn.Linear(self.width, self.width) for _ in range(depth)])  # want: PF306 unsafe

    def embed(self, x):
        for block in self.blocks:
            x = block(x)
        return x

    def forward(self, x):
        return self.embed(x).sum()


class Embedder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.tables = nn.ModuleList([nn.Embedding(width, 2) for _ in range(2)])  # want: PF306 unsafe, warning

    def embed(self, x):
        return torch.cat([table(x) for table in self.tables])


heads = Heads([Part(3)], {"first": Part(3)}, Part(3))
print(heads(torch.ones(2, 3)), Chain(nn.Linear(3, 3))(torch.ones(1, 3)))
print(Encoder(3, 2)(torch.ones(1, 3)), Embedder(3).embed(torch.tensor([1])))
