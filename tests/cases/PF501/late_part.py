# rules: all
# options: add-placement
"""The head is set after the optimizer: where the module is complete it is too late."""
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 4))  # want: PF501 report
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net.add_module("two", nn.Linear(4, 1))
net(torch.randn(2, 4)).sum().backward()
opt.step()
