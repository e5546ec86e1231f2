import torch
import torch.nn as nn

from helpers import describe, weight_groups

net, other, third = nn.Linear(4, 2), nn.Linear(4, 2), nn.Linear(4, 2)
settings = describe(other)
third.to("cuda")
optimizer = torch.optim.AdamW(net.parameters(), lr=settings)
scheduled = torch.optim.SGD(weight_groups(third), lr=0.1)
other.to("cuda")
optimizer.step()
