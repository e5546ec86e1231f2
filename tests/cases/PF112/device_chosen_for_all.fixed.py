"""A device that is chosen elsewhere is where everything goes."""
import torch
from torch import nn
from settings import chosen

device = torch.device(chosen())
net = nn.Linear(3, 3).to(device)
head = nn.Linear(3, 2).to(device)  # want: PF112
y = net(torch.ones(2, 3).to(device))
print(head(y).sum().item())
