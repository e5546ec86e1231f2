"""A module with a .to() of its own: what `.cuda()` did is not what that does."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)

    def to(self, device):
        super().to(device)
        self.where = device

    def forward(self, x):
        return self.fc(x)


def build(n):
    net = Net()
    if n:
        return net.cuda()  # want: PF401 report
    return net


net = Net().cuda()  # want: PF401 report
print(net(torch.ones(3, 2, device=next(net.parameters()).device)), build(1))
