"""Made in a call, in one list with a tensor on a device: PF304 reports it once, PF302 does not repeat it."""
import torch
from torch import nn


def positions(size, extra, device=None):
    steps = torch.arange(size, device=device).reshape(size, 1).float()
    return torch.cat([torch.zeros([extra, 1]), steps], dim=0)  # want: PF304 unsafe


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(1, 2)

    def forward(self, x):
        return self.out(positions(x.size(0), 1, device=x.device)).sum() + self.out(x)


net = Net()
print(net(torch.ones(2, 1)).shape)
