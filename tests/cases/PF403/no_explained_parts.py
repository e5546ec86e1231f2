"""A move at the end of a guard that has its own explanation stays under it."""
import torch
from torch import nn


def build(use_cuda):
    model = nn.Linear(2, 1)
    if use_cuda:  # want: PF403 note
        print("cuda")
        # the largest of all
        model.cuda()
    return model


print(build(False), torch.ones(1))
