"""The last arm of a chain places on a GPU by its number: what another arm does may have a number of its own."""
import torch
from torch import nn


def build(gpu, parallel):
    model = nn.Linear(2, 1)
    if parallel:
        model = nn.DataParallel(model)
    elif gpu is not None:  # want: PF403 note
        model = model.cuda(gpu)
    return model


print(build(None, False), torch.ones(1))
