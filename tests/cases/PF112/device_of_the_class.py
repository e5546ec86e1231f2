# not run: nothing may change
"""The builder reads the device, or hands it on, or a base class asks for it."""
from builders import Builder, place
from torch import nn


def read(size, device):
    net = nn.Linear(size, 1)
    return place(net, device)


def chosen(size, device="cpu"):
    net = nn.Linear(size, 1)
    if str(device) != "cpu":
        net = net.to(device)
    return net


def nothing_to_place(size, device):
    pool = nn.MaxPool2d(size)
    return pool


class Mine(Builder):
    def build(self, size, device):
        net = nn.Linear(size, 1)
        return net
