# Items that a mask or indices pick need values where the tensor is: only items under numbers and slices are copied from any device.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)
x = torch.ones(4, 3).to(device)
mask = torch.tensor(tuple(map(bool, [1, 0, 1, 1])))
best = torch.zeros(4)  # want: PF302
best[mask] = net(x[:3]).max(1)[0].detach()
picked = torch.zeros(4)  # want: PF302
picked[torch.tensor([0, 1, 2])] = net(x[:3])[:, 0]
kept = torch.zeros(4, device=device)
kept[mask] = torch.ones(3)  # want: PF302
print(best.sum(), picked.sum(), kept.sum())
