"""Whether to place at all is asked first, and more is placed by another question."""
import torch
from torch import nn


class Wrapper:
    def __init__(self, cuda=None):
        self.module = nn.Linear(2, 1)
        self.weight = torch.ones(1)
        if cuda is not None:
            if cuda:  # want: PF403 report
                self.module = self.module.cuda()
            else:
                self.module = self.module.cpu()
        if torch.cuda.is_available():  # want: PF403 report
            self.weight = self.weight.cuda()
