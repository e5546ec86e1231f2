"""A device that is made where it is handed on, returned or entered."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def choose():
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")  # want: PF402


def fit(net, where, n):
    net.to(where)
    x = torch.ones(n, 4, device=where)
    return net(x).sum().item()


print(fit(nn.Linear(4, 1), choose(), 2))
print(fit(nn.Linear(4, 1), device, 3))  # want: PF402
