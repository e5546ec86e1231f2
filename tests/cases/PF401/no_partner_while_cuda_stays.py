"""The device of a tensor is of no use in a function that needs CUDA all the same."""
# machines: 2
# run: print(Net().cuda()(torch.ones(2, 3).cuda()).sum().item())
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        rows = self.fc(x)
        ones = torch.ones(3).cuda()  # want: PF401 report
        other = torch.ones(3).cuda(1)  # want: PF401 report
        return rows * ones + other.cpu().sum().item()
