"""No device that the function reads: the value does not meet the tensor, or a module moves."""
# run: print(apart(torch.ones(2, 2)).sum().item(), moved(torch.ones(2, 2)).sum().item())
import torch
from torch import nn


def apart(x):
    total = x.sum(dim=1)
    other = torch.relu(x).cuda()  # want: PF401
    return total + torch.ones(2).to(total.device) + other.cpu().sum(dim=1)


def moved(x):
    total = x.sum(dim=1)
    net = nn.Linear(2, 2).cuda()  # want: PF401
    total = torch.relu(total).cuda()  # want: PF401
    return net(total) + torch.ones(2).to(total.device)
