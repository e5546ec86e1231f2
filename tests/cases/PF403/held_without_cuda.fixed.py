"""What is moved is there without CUDA: bound on every path, asked about, or needed behind the guard in any case."""
import sys

import torch
from torch import nn

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")


def arms(kind, conditional):
    if kind == "a":
        net = nn.Linear(2, 1)
    elif kind == "b":
        net = nn.Linear(2, 2)
    else:
        sys.exit(kind)
    if conditional:
        labels = torch.ones(2)
    # want: PF403
    net.to(device)
    if conditional:
        labels = labels.to(device)
    return net, labels if conditional else None


def needed(kind):
    if kind == "a":
        net = nn.Linear(2, 1)
    # want: PF403
    net.to(device)
    return [p.shape for p in net.parameters()]


def given(x=None):
    if x is None:
        x = torch.ones(2)
    for _ in range(2):
        y = torch.ones(2)
    with torch.no_grad():
        z = torch.ones(2)
    # want: PF403
    y = y.to(device)
    z = z.to(device)
    return y + z


print(len(arms("a", True)), len(arms("b", False)), needed("a"), given())
