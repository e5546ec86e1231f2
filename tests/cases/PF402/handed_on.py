"""A device that is made where it is handed on, returned or entered."""
import torch
from torch import nn


def choose():
    return torch.device("cuda")  # want: PF402


def fit(net, where, n):
    net.to(where)
    x = torch.ones(n, 4, device=where)
    return net(x).sum().item()


print(fit(nn.Linear(4, 1), choose(), 2))
print(fit(nn.Linear(4, 1), torch.device("cuda"), 3))  # want: PF402
