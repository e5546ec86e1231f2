# options: unsafe
# not run: the other packages are not installed
"""Classes of modules by the name of a base that is not seen; layers of a class that is not seen; and classes that are none."""
import torch
from blocks import ConvModule, Reader
from frame import BaseModule, DataModule, Module
from torch import nn


class Fused(BaseModule):
    def __init__(self, widths):
        super().__init__()
        downsample = []
        for width in widths:
            downsample.append(ConvModule(width, width))
        self.downsample = nn.ModuleList(downsample)  # want: PF306 unsafe, warning

    def forward(self, x):
        for layer in self.downsample:
            x = layer(x)
        return x


class Initialised(Module):
    def __init__(self, width):
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(2)])  # want: PF306 unsafe

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Read(BaseModule):
    def __init__(self, paths):
        super().__init__()
        self.readers = [Reader(path) for path in paths]

    def forward(self, x):
        return [reader(x) for reader in self.readers]


class Batches(DataModule):
    def __init__(self, width):
        super().__init__()
        self.layers = [nn.Linear(width, width)]

    def forward(self, x):
        return self.layers[0](x)


class Broken(nn.Module):
    def __init__(self, width):
        self.layers = [nn.Linear(width, width)]

    def forward(self, x):
        return self.layers[0](x)


class Ensemble:
    def __init__(self, width):
        self.layers = [nn.Linear(width, width)]

    def forward(self, x):
        return self.layers[0](x)


print(Fused([4]), Initialised(4), Read(["a"]), Batches(4), Ensemble(4), torch.ones(1))
