"""A particular GPU, chosen in two steps: under the flag the guard means the current one."""
# run: print(load(3))
import torch
from torch import nn


def load(size, use_cuda=False):
    if use_cuda:
        device = torch.device("cuda:1" if torch.cuda.is_available() else "cpu")
    else:
        device = torch.device("cpu")
    net = nn.Linear(size, 2)
    if use_cuda:  # want: PF403 report
        net.cuda()
    return torch.ones(2, device=device).shape
