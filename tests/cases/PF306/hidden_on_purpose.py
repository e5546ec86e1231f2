import torch
from torch import nn


class Teacher(nn.Module):
    """What it is handed belongs to somebody else."""

    def __init__(self, teacher):
        super().__init__()
        self.teacher = [teacher]
        self.student = nn.Linear(4, 2)

    def forward(self, x):
        return self.student(x) - self.teacher[0](x)


class Moved(nn.Module):
    """It moves them itself."""

    def __init__(self):
        super().__init__()
        self.experts = [nn.Linear(4, 4), nn.Linear(4, 4)]

    def forward(self, x):
        for expert in self.experts:
            x = expert.to(x.device)(x)
        return x


class Owner(nn.Module):
    """Whoever has it takes them out."""

    def __init__(self):
        super().__init__()
        self.lent = [nn.Linear(4, 4)]
        self.given = [nn.Linear(4, 4)]
        self.helper = Helper(self.given)

    def forward(self, x):
        return self.lent[0](x) + self.given[0](x)


class Helper:
    def __init__(self, modules):
        self.modules = modules


class Base(nn.Module):
    """A class that derives from it may register them."""

    def __init__(self):
        super().__init__()
        self.stages = [nn.Linear(4, 4)]

    def forward(self, x):
        return self.stages[0](x)


class Derived(Base):
    def __init__(self):
        super().__init__()
        self.whole = nn.ModuleList(self.stages)


owner = Owner()
for module in owner.lent:
    module.to("cpu")
