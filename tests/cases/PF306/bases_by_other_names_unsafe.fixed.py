# options: unsafe
# before: clean: nothing is placed
"""Classes of modules by another name of the base, and by one of two bases that a test chooses."""
import torch
from torch import nn

SCRIPTED = False
Module = nn.Module
if SCRIPTED:
    Base = torch.jit.ScriptModule
else:
    Base = torch.nn.Module


class Net(Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])  # want: PF306 unsafe

    def forward(self, x):
        return sum(part(x) for part in self.parts)


class Chosen(Base):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])  # want: PF306 unsafe

    def forward(self, x):
        return sum(part(x) for part in self.parts)


torch.manual_seed(0)
print(Net()(torch.ones(1, 2)).sum().item(), Chosen()(torch.ones(1, 2)).sum().item())
