"""A device that asks for something else on the way, or may be a third one: whether it goes with the flag is not known."""
# run: print(other(3), elsewhere(3))
import torch
from torch import nn


def other(size, use_cuda=False, fast=False):
    if fast:
        device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
    else:
        device = torch.device("cpu")
    net = nn.Linear(size, 2)
    if use_cuda:  # want: PF403 report
        net.cuda()
    return torch.ones(2, device=device).shape


def elsewhere(size, use_cuda=False):
    if use_cuda:
        device = torch.device("cuda") if torch.cuda.is_available() else torch.device("meta")
    else:
        device = torch.device("cpu")
    net = nn.Linear(size, 2)
    if use_cuda:  # want: PF403 report
        net.cuda()
    return torch.ones(2, device=device).shape
