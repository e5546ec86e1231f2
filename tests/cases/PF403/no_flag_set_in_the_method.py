"""The method itself sets the flag after its device is chosen."""
import torch
from torch import nn


class Fit:
    def __init__(self, use_cuda):
        self.use_cuda = use_cuda
        self.model = nn.Linear(2, 1)

    def run(self, batches):
        device = torch.device("cuda" if self.use_cuda else "cpu")
        self.use_cuda = batches > 3
        x = torch.ones(1, 2)
        if self.use_cuda:  # want: PF403 report
            x = x.cuda()
        return x, device


print(Fit(torch.cuda.is_available()).run(2) is not None)
