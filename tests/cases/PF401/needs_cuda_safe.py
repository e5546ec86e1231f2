"""Only unsafe fixes would take all of it off CUDA: the safe ones wait for them."""
import torch
from zoo import build


def both(x):
    net = build().cuda()  # want: PF401 unsafe
    return net(torch.relu(x).cuda())  # want: PF401 unsafe


def none(x):
    net = build().cuda()  # want: PF401 report
    print(net, torch.relu(x).cuda(1))  # want: PF401 report
# not run: the zoo builds nothing
