"""Modules of this library say by a method of their own which GPU they are on, and have no `.device`."""
import torch
from nets import Net


def run(net, loader):
    for x in loader:
        if net.get_device() >= 0:  # want: PF403 note
            x = x.cuda(net.get_device())
        print(net(x))


def named(net, loader):
    net.eval()
    for x in loader:
        if net.get_device() != -1:  # want: PF403 unsafe
            x = x.cuda()
        print(net.predict(x) + x)


run(Net(), [torch.ones(2)])
