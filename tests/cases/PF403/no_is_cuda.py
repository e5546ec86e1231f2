"""is_cuda that comes from where something lies is no flag."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    @property
    def is_cuda(self):
        return next(self.parameters()).is_cuda

    def forward(self, x):
        mask = torch.ones(2)
        if self.is_cuda:  # want: PF403 unsafe
            mask = mask.cuda()
        return self.layer(x) * mask


def loss(x):
    is_cuda = x.is_cuda
    weight = torch.ones(2)
    if is_cuda:  # want: PF403 note
        weight = weight.cuda()
    return (x * weight).sum()


print(loss(Net()(torch.ones(1, 2))).item())
