# options: unsafe
# run: print(Agent(torch.cuda.is_available(), False).run(torch.ones(1, 2)).sum().item() < 9)
"""A guard with a choice of its own in it: its last move leaves, the one in the choice is spelled with the same device."""
import torch
from torch import nn


class Agent:
    def __init__(self, use_cuda, parallel):
        self.model = nn.Linear(2, 1)
        self.criterion = nn.MSELoss()
        self.use_cuda = use_cuda
        if self.use_cuda:  # want: PF403 unsafe
            if parallel:
                self.model = nn.DataParallel(self.model.cuda())
            else:
                self.model.cuda()
            self.criterion.cuda()

    def run(self, x):
        if self.use_cuda:  # want: PF403 unsafe
            x = x.cuda()
        return self.criterion(self.model(x), x[:, :1])
