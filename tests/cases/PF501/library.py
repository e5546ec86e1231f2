# rules: all
# options: add-placement
"""No script: whoever imports it decides."""
import torch
from torch import nn


def fit(x, y):
    net = nn.Linear(4, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    nn.functional.mse_loss(net(x), y).backward()
    opt.step()
    return net
