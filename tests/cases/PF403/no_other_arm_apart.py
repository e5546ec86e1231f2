"""The other arm leaves, or has to do with what is moved."""
import sys

import torch
from torch import nn


def leaves(use_cuda):
    model = nn.Linear(2, 1)
    if use_cuda:  # want: PF403 report
        print("cuda")
        model.cuda()
    else:
        sys.exit("no GPU")
    return model


def touches(use_cuda):
    model = nn.Linear(2, 1)
    if use_cuda:  # want: PF403 report
        print("cuda")
        model.cuda()
    else:
        model.double()
    return model


print(touches(False))


class Net:
    def __init__(self, use_cuda):
        self.model = nn.Linear(2, 1)
        if use_cuda:  # want: PF403 report
            self.half = True
            self.model.cuda()
        else:
            self.model.double()
            self.half = False
