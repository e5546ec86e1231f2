# rules: all
# options: add-placement
"""Who is given the model may make its inputs where it lies: not shown, and not shown otherwise."""
import torch
from torch import nn

from data import samples

net = nn.Linear(4, 1)  # want: PF501 unsafe
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in samples(net, 8):
    loss = net(x).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
