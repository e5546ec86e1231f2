# options: unsafe
# before: clean: nothing is placed
"""Modules that code makes that is not seen, that a method returns, or of which some are None."""
import torch
from torch import nn

REGISTRY = {}


def register_module(cls):
    REGISTRY[cls.__name__] = cls
    return cls


class Block(nn.Module):
    def __init__(self, layer, width):
        super().__init__()
        self.inner = layer(width, width)

    def forward(self, x):
        return self.inner(x)


class Encoder(nn.Module):
    def __init__(self, layer, width, depth):
        super().__init__()
        self.blocks = nn.ModuleList()  # want: PF306 unsafe, warning
        for _ in range(depth):
            self.blocks.append(Block(layer, width))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class Lent(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])  # want: PF306 unsafe, warning

    def __getitem__(self, number):
        return self.layers[number]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@register_module
class Optional(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.heads = nn.ModuleList(
            [nn.Linear(width, 1) if width else None for width in widths]
        )  # want: PF306 unsafe

    def forward(self, x):
        return sum(head(x) for head in self.heads if head is not None)


encoders = [Encoder(nn.Linear, 4, 2), Lent(4, 2)]
print([encoder(torch.ones(1, 4)) for encoder in encoders], Optional([4, 0])(torch.ones(1, 4)))
