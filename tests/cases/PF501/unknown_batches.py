# rules: all
# options: add-placement
"""What the generator yields is not known to be tensors, and lies where the module lay: on the CPU."""
import torch
from torch import nn

from data import batches

net = nn.Linear(4, 1)  # want: PF501 report
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in batches(8):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
