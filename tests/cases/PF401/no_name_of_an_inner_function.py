# rules: PF401,PF402
"""An inner function binds the same name to a tensor: what it does with that one says nothing about the object outside."""
import torch
from torch import nn


class Sample:
    def __init__(self, x):
        self.x = x

    def cuda(self):
        return Sample(self.x.cuda())  # want: PF401 note


def samples(count):
    return (Sample(torch.randn(2, 3)) for _ in range(count))


def train():
    net = nn.Linear(3, 3)
    net.cuda()  # want: PF401 report

    def stage():
        batch = torch.randn(2, 3, device="cuda")  # want: PF402 report
        print((batch + 1).sum().item(), net(batch).sum().item())

    for batch in samples(2):
        batch = batch.cuda()  # want: PF401 report
        print(net(batch.x).sum().item())
    stage()


train()
