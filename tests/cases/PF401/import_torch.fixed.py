"""Only names of torch are imported."""
from __future__ import annotations

import torch
from torch import nn, ones
from torch.optim import SGD

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

net = nn.Linear(2, 1).to(device)  # want: PF401
SGD(net.parameters(), lr=0.1)
print(net(ones(1, 2, device=device)))  # want: PF401
