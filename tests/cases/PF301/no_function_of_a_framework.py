# rules: PF301, PF302, PF303
"""The framework owns a function that gets its object, one that such a function calls, and a class that holds it."""
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,)))


def called(net, loader, device):
    net = nn.Linear(4, 3).to(device)
    for x, _ in DataLoader(data, batch_size=6):
        net(x)


def handed(accelerator, net):
    net = nn.Linear(4, 3).to(accelerator.device)
    for x, _ in accelerator.prepare(DataLoader(data)):
        net(x)


class Runner:
    def __init__(self):
        self.accelerator = Accelerator()
        self.device = self.accelerator.device

    def run(self):
        net = nn.Linear(4, 3).to(self.device)
        for x, _ in DataLoader(data, batch_size=6):
            net(x)


def train(net, loader):
    accelerator = Accelerator()
    called(net, loader, accelerator.device)
