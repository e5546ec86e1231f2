# options: unsafe
# before: clean: nothing is placed
"""A class of modules with type parameters, and one derived from it with a type."""
from typing import Generic, TypeVar

import torch
from torch import nn

T = TypeVar("T")


class Base(nn.Module, Generic[T]):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x)


class Net(Base[int]):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Linear(2, 2) for _ in range(2)]  # want: PF306 unsafe

    def forward(self, x):
        return sum(part(x) for part in self.parts) + self.fc(x)


torch.manual_seed(0)
print(Net()(torch.ones(1, 2)).shape)
