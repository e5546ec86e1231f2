"""A copy on the CPU meets tensors of a device where it has no dimension, where both were copied, and where only some runs copy."""
# run: print(total, both(torch.ones(2, 3)).shape)
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 3).to(device)
x = torch.ones(2, 3).to(device)
total = torch.zeros(2, 3).to(device)
total += net(x).sum().cpu()
mean = net(x).mean().cpu() + x
bank = torch.zeros(4, 3).to(device)
bank[0] = net(x).cpu()[0]
kept = torch.zeros(2, 3)
kept += net(x).detach().cpu()
index = net(x).argmax(1).cpu()
picked = x[:, index]


def both(x):
    out, x = net(x.to(device)).cpu(), x.cpu()
    return out - x


def perhaps(x, on_cpu):
    out = net(x.to(device))
    if on_cpu:
        out, x = out.cpu(), x.cpu()
    return out - x.to(out.device)


def summed(x, scale):
    return scale(x).cpu() + net(x.to(device))
