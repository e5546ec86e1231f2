# A library's device is made with its switch, which others set later; the guard asks what it is by then.
import torch
from torch import nn

USE_CUDA = False
device = torch.device("cuda" if USE_CUDA else "cpu")


def build():
    net = nn.Linear(2, 2)
    if USE_CUDA:  # want: PF403 report
        net.cuda()
    return net
