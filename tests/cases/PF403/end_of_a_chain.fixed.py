# run: print(build(torch.cuda.is_available(), False).weight.shape, build(torch.cuda.is_available(), True).module.weight.shape)
"""A guard that is the last arm of a chain, and only places: for everything else there is a device."""
import torch
from torch import nn


def build(use_cuda, parallel):
    model = nn.Linear(2, 1)
    if parallel:
        model = nn.DataParallel(model)
    else:  # want: PF403
        device = torch.device("cuda" if use_cuda else "cpu")
        model.to(device)
    return model
