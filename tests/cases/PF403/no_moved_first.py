# options: unsafe
"""A chain that does something else first, gives another name, or reads what it moves again."""
import torch
from torch import nn


def cast_first(net):
    if torch.cuda.is_available():  # want: PF403 note
        net = net.half().cuda()
    return net


def other_name(net):
    half = net
    if torch.cuda.is_available():  # want: PF403 note
        half = net.cuda().half()
    return half, net


def twice(x):
    if torch.cuda.is_available():  # want: PF403 note
        x = x.cuda().type(x.dtype)
    return x


def other_arm(net):
    if torch.cuda.is_available():  # want: PF403 report
        net = net.cuda().half()
    else:
        net = net.float()
    return net


print(cast_first(nn.Linear(2, 1)), other_name(nn.Linear(2, 1)), twice(torch.ones(2)), other_arm(nn.Linear(2, 1)))
