"""The other name is that of a class that is no module, or is bound again."""
import torch
from torch import nn

Base = object
Again = nn.Module
Again = dict


class Plain(Base):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Linear(2, 2) for _ in range(2)]

    def forward(self, x):
        return sum(part(x) for part in self.parts)


class Table(Again):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Linear(2, 2) for _ in range(2)]

    def forward(self, x):
        return sum(part(x) for part in self.parts)


print(Plain().forward(torch.ones(1, 2)).shape, Table().forward(torch.ones(1, 2)).shape)
