# rules: all
# options: add-placement
"""Other processes run it."""
import torch
import torch.multiprocessing as mp
from torch import nn


def work(rank, net):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    net(torch.randn(2, 4)).sum().backward()
    opt.step()


if __name__ == "__main__":
    net = nn.Linear(4, 1)
    net.share_memory()
    mp.spawn(work, args=(net,), nprocs=2)
