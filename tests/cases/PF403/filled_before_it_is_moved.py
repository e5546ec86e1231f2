# files: net.pt
# run: torch.save(nn.Linear(2, 1).state_dict(), "net.pt")
# run: print(load(torch.cuda.is_available(), "net.pt")(torch.ones(1, 2)).shape)
"""A module that is filled first, then moved and wrapped: filled where it lies, it holds the same."""
import torch
from torch import nn


def load(use_cuda, path):
    net = nn.Linear(2, 1)
    # fill and place it
    if use_cuda:  # want: PF403
        net.load_state_dict(torch.load(path))
        net = net.cuda()
        net = nn.DataParallel(net)
    else:
        net.load_state_dict(torch.load(path, map_location="cpu"))
    return net
