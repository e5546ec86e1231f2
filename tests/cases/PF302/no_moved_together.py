"""Operands that a test further down moves together."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2)
net.to(device)


def penalty(real, fake):
    alpha = torch.rand(4, 1)
    mask = torch.ones(4, 2)
    if real.is_cuda:
        alpha = alpha.cuda()
        mask = mask.cuda()
    return (net(alpha * real + (1 - alpha) * fake) * mask).sum()


def weighted(pred):
    scale, shift = torch.ones(2), torch.zeros(2)
    together = scale * 2 + shift
    if pred.is_cuda:
        together, shift = together.cuda(), shift.cuda()
    return pred * together + shift


x = torch.ones(4, 3).to(device)
print(penalty(x, x).item() > -9, weighted(net(x)).shape)
