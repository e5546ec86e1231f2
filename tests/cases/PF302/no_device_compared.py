# Both are placed on one path, the test is about a tensor, or about something else.
# options: unsafe
import torch
from torch import nn


def both(device):
    net, start = nn.Linear(3, 4), torch.zeros(2, 3)
    if device == "cuda":
        net = net.cuda()
    if device == "cuda":
        start = start.cuda()
    return net(start)


def that_of_a_tensor(x):
    net = nn.Linear(3, 4)
    if x.device.type == "cuda":
        net.cuda()
    start = torch.zeros(2, 3)
    return net(start)


def of_another_word(mode):
    net = nn.Linear(3, 4)
    if mode == "fast":
        net.cuda()
    start = torch.zeros(2, 3)
    return net(start)


def in_the_other_arm(device):
    net, start = nn.Linear(3, 4), torch.zeros(2, 3)
    if device == "cpu":
        return net(start)
    return net.cuda()(start.cuda())
