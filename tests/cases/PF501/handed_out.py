# rules: all
# options: add-placement
"""The output goes to code that may want it on the CPU."""
import torch
from torch import nn

from plots import draw

net = nn.Linear(4, 1)  # want: PF501 unsafe
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
out = net(x)
out.sum().backward()
opt.step()
draw(out.detach())
