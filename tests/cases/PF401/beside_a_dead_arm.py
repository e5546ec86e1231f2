"""Code that never runs needs no CUDA: it is left, and the rest is converted."""
# run: assert main().shape == (1, 2)
import torch
from torch import nn


def main():
    net = nn.Linear(2, 2)
    if 0 > 0:
        torch.cuda.set_device(1)
        net.half().cuda()
    net.cuda()  # want: PF401
    x = torch.ones(1, 2).cuda()  # want: PF401
    if 1:
        return net(x)
    else:
        return net(x.cuda(1))
