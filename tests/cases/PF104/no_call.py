"""What is never called as a wrapper is not looked for."""
import torch
from torch import nn

net = nn.Linear(3, 2).to("cuda:1")
model = nn.DataParallel(net)
print(net(torch.ones(4, 3).to("cuda:1")).sum().item())
model.to("cuda:0")
print(model(torch.ones(4, 3)).sum().item())
