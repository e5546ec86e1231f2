# options: unsafe
# The name is registered as a buffer, the other arm is for the device, the class has a value of the name, or the attribute is a parameter.
import torch
from torch import nn


class Registered(nn.Module):
    def __init__(self, n, smooth):
        super().__init__()
        self.register_buffer("preterm", None)
        if smooth:
            self.preterm = torch.linspace(0, 1, n) / 2

    def forward(self, x):
        return x.sigmoid() * self.preterm


class Chosen(nn.Module):
    def __init__(self, n, use_cuda):
        super().__init__()
        scales = torch.ones(n)
        if use_cuda:
            self.scales = scales.cuda()
        else:
            self.scales = scales

    def forward(self, x):
        return x.sigmoid() * self.scales


class Given(nn.Module):
    scale = 1.0

    def __init__(self, n, learned):
        super().__init__()
        if learned:
            self.scale = nn.Parameter(torch.ones(n))
            self.other = nn.Parameter(torch.ones(n) + torch.ones(n))

    def forward(self, x):
        return x.sigmoid() * self.scale + self.other


class Moved(nn.Module):
    def __init__(self, n, device):
        super().__init__()
        self.table = (torch.ones(n) - torch.arange(n)).to(device)

    def forward(self, x):
        return x.sigmoid() * self.table
