# The device of the module is as old as the import; the guard asks what the settings say now.
import torch
from torch import nn

from settings import cfg

device = torch.device("cuda" if cfg.CUDA else "cpu")


def build():
    net = nn.Linear(2, 2)
    if cfg.CUDA:  # want: PF403 report
        net.cuda()
    return net
