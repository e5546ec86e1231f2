# options: unsafe
# Code outside of the class registers, or moves, the modules of the list.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, settings):
        super().__init__()
        layers = []
        for size in settings.layers:
            layers.append(nn.Linear(size, size))
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def build(settings, device):
    net = Net(settings)
    for layer in net.layers:
        layer.to(device)
    return net
