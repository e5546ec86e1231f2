# options: unsafe
"""Two methods of a module define a device each, and so do functions, which share no object."""
# run: two = Two()
# run: print(two.a().sum().item(), two.b().sum().item())
# run: print(first(2).sum().item(), second(2).sum().item(), third(2).sum().item())
import torch
from torch import nn


class Two(nn.Module):
    def a(self):
        return torch.ones(2).cuda()  # want: PF401 unsafe

    def b(self):
        return torch.ones(2).cuda()  # want: PF401 unsafe


def first(count):
    return torch.ones(count).cuda()  # want: PF401


def second(count):
    return torch.ones(count).cuda()  # want: PF401


def third(count):
    return torch.ones(count).cuda()  # want: PF401
