"""The other arm leaves: what stands first stays in the guard, there is no way without CUDA."""
import sys

import torch
from torch import nn


def stops(use_cuda):
    model = nn.Linear(2, 1)
    if use_cuda:  # want: PF403 report
        model.cuda()
        print("cuda")
    else:
        raise RuntimeError("this needs a GPU")
    return model


def ends(use_cuda):
    model = nn.Linear(2, 1)
    if use_cuda:  # want: PF403 report
        model.cuda()
        print("cuda")
    else:
        sys.exit(1)
    return model


print(torch.ones(1))
