# rules: all
# options: add-placement
"""It has an option for the device: somebody decides, or means to."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
args = parser.parse_args()
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.randn(2, 4)).sum()
loss.backward()
opt.step()
