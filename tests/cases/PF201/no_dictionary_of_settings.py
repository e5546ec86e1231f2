import torch
import torch.nn as nn
import torch.optim as optim

from config import settings

net = nn.Linear(4, 2)
head = nn.Linear(4, 2).to("cuda")
named = dict(head.named_parameters())
values = set(dict(settings.named()).values())
weights = [named[key] for key in named if key not in values]
optimizer = optim.Adagrad(weights, lr=0.1)
net.to("cuda")
optimizer.step()
