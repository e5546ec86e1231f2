"""Only names of torch are imported."""
from __future__ import annotations

from torch import nn, ones
from torch.optim import SGD

net = nn.Linear(2, 1).cuda()  # want: PF401
SGD(net.parameters(), lr=0.1)
print(net(ones(1, 2).cuda()))  # want: PF401
