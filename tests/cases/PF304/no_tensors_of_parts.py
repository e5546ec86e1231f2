"""The part moves its argument, uses its own tensor on some paths alone, or the argument has no dimension."""
import torch
from torch import nn


class Moving(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("steps", torch.ones(dim))

    def forward(self, x):
        return x.to(self.steps.device) * self.steps


class Sometimes(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("steps", torch.ones(dim))

    def forward(self, x, scaled=False):
        return x * self.steps if scaled else x


class Gain(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("steps", torch.ones(dim))

    def forward(self, x):
        return x * self.steps


class Rows(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("rows", torch.ones(dim, dim))

    def forward(self, order):
        return self.rows[order]


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.moving = Moving(dim)
        self.sometimes = Sometimes(dim)
        self.gain = Gain(dim)
        self.rows = Rows(dim)

    def forward(self, x):
        n = x.shape[1]
        free = self.sometimes(torch.zeros(n))
        rows = self.rows(torch.arange(n))
        return self.moving(torch.zeros(n)) + self.gain(torch.tensor(2.0)), free.sum().item(), rows


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = Net(3).to(device)
print(net(torch.ones(2, 3).to(device))[0].shape)
