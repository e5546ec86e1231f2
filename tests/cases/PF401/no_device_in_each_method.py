"""No safe fix defines a device in each of three methods of a module."""
import torch
from torch import nn


class Three(nn.Module):
    def a(self):
        return torch.ones(2).cuda()  # want: PF401 unsafe

    def b(self):
        return torch.ones(2).cuda()  # want: PF401 unsafe

    def c(self):
        return torch.ones(2).cuda()  # want: PF401 unsafe
