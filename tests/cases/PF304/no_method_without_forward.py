# The inner module moves its input, may not use it with its layers, or moves itself; the tensor is on the device already.
import torch
from torch import nn


class Moving(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)

    def forward(self, x):
        return self.fc(x.to(self.fc.weight.device))


class Sometimes(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)

    def forward(self, x):
        return self.fc(x) if self.training else x.sum()


class Placed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3).to("cpu")

    def forward(self, x):
        return self.fc(x)


class Lengths(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)

    def forward(self, x, lengths):
        return self.fc(x[: int(lengths.max())])


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.moving = Moving()
        self.sometimes = Sometimes()
        self.placed = Placed()
        self.lengths = Lengths()
        self.fc = nn.Linear(2, 3)
        self.replaced = nn.Linear(2, 3)

    def sample(self, n):
        return self.moving(torch.ones(n, 2)) + self.sometimes(torch.ones(n, 2)) + self.placed(torch.ones(n, 2))

    def masked(self, x):
        return self.lengths(x, torch.ones(2))

    def made_there(self, n):
        return self.fc(torch.ones(n, 2, device=self.fc.weight.device))

    def replace(self, other):
        self.replaced = other

    def of_another(self, n):
        return self.replaced(torch.ones(n, 2))
