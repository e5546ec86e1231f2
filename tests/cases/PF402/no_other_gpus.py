"""One particular GPU, and another way of choosing one beside it; a move to one; a name for it that is bound again."""
import torch
from torch import nn


def first():
    device = torch.device("cuda:1")  # want: PF402 report
    return nn.Linear(2, 1).to(device)


def second():
    device = torch.device("cuda:0")  # want: PF402 report
    return nn.Linear(2, 1).to(device)


def moved(x):
    return x.to("cuda:1")  # want: PF402 report
