# options: unsafe
"""The object keeps the flag: it keeps the device too."""
import torch
from torch import nn


class Trainer:
    def __init__(self, net, use_cuda):
        self.use_cuda = use_cuda and torch.cuda.is_available()
        self.device = torch.device("cuda" if self.use_cuda else "cpu")
        self.net = net
        # want: PF403 unsafe
        self.net.to(self.device)

    def step(self, x):
        # want: PF403 unsafe
        x = x.to(self.device)
        return self.net(x)


class Once(nn.Module):
    def __init__(self, use_cuda):
        super().__init__()
        self.use_cuda = use_cuda
        self.weight = torch.ones(3)
        device = torch.device("cuda" if self.use_cuda else "cpu")
        # want: PF403
        self.weight = self.weight.to(device)


print(Trainer(nn.Linear(2, 1), True).step(torch.ones(1, 2)), Once(False))
# run: print(Once(torch.cuda.is_available()).weight.sum().item())
