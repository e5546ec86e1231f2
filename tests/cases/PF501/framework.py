# rules: all
# options: add-placement
"""accelerate places it."""
import torch
from accelerate import Accelerator
from torch import nn

runner = Accelerator()
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net, opt = runner.prepare(net, opt)
loss = net(torch.randn(2, 4)).sum()
loss.backward()
opt.step()
