"""A guard with a choice of its own in it, behind which nothing is moved: it is right, and no device is made for it."""
import torch
from torch import nn


class Agent:
    def __init__(self, use_cuda, parallel):
        self.model = nn.Linear(2, 1)
        if use_cuda:  # want: PF403 note
            if parallel:
                self.model = nn.DataParallel(self.model.cuda())
            else:
                self.model.cuda()
            print("cuda")
