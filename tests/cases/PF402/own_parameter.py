"""A class of the file that takes a device; a callable that may want a string."""
import torch
from torch import nn
from zoo import load


class Wrap:
    def __init__(self, net, device):
        self.device = device
        self.net = net.to(self.device)


wrap = Wrap(nn.Linear(2, 1), device="cuda")  # want: PF402 unsafe
net = load("resnet", device="cuda")  # want: PF402 unsafe
print(wrap.net, net)
# after: unsafe
