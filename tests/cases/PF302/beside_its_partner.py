"""Nothing but PF304 reports what the code of a module makes."""
import torch
from torch import nn


def positions(size, extra, device=None):
    steps = torch.arange(size, device=device).reshape(size, 1).float()
    return torch.cat([torch.zeros([extra, 1]), steps], dim=0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(1, 2)

    def forward(self, x):
        return self.out(positions(x.size(0), 1, device=x.device)).sum() + self.out(x)


net = Net()
print(net(torch.ones(2, 1)).shape)
