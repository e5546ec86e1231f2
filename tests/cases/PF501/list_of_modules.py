# rules: all
# options: add-placement
"""Modules in a list: none of them has a statement of its own."""
import torch
from torch import nn

nets = [nn.Linear(4, 1) for _ in range(3)]  # want: PF501 report
for net in nets:
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    net(torch.randn(2, 4)).sum().backward()
    opt.step()
