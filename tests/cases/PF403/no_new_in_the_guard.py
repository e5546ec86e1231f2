"""What is moved at the end of a guard is made in it: without CUDA there is nothing to move."""
import torch
from torch import nn


def build(use_cuda):
    if use_cuda:  # want: PF403 note
        head = nn.Linear(2, 1)
        head.cuda()
        print(head(torch.ones(1, 2).cuda()))


build(False)
