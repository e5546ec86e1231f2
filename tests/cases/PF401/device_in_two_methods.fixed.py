# options: unsafe
"""Two methods of a module define a device each, and so do functions, which share no object."""
# run: two = Two()
# run: print(two.a().sum().item(), two.b().sum().item())
# run: print(first(2).sum().item(), second(2).sum().item(), third(2).sum().item())
import torch
from torch import nn


class Two(nn.Module):
    def a(self):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return torch.ones(2, device=device)  # want: PF401 unsafe

    def b(self):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return torch.ones(2, device=device)  # want: PF401 unsafe


def first(count):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.ones(count, device=device)  # want: PF401


def second(count):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.ones(count, device=device)  # want: PF401


def third(count):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.ones(count, device=device)  # want: PF401
