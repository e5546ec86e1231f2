"""A list of modules whose class cannot run: nothing fails for want of its parameters, and the error is another one."""
# rules: PF306
# not run: it cannot run, as it says
import torch.nn as nn


class Missing(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.parts = []  # want: PF306 unsafe, warning
        for size in sizes:
            self.parts.append(nn.Linear(size, size))

    def forward(self, x):
        x = self.part[0](x)
        for part in self.parts:
            x = part(x)
        return x


class SetByAnother(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.parts = []  # want: PF306 unsafe
        for size in sizes:
            self.parts.append(nn.Linear(size, size))

    def forward(self, x):
        x = self.head(x)
        for part in self.parts:
            x = part(x)
        return x


class SetByAMethod(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.parts = []  # want: PF306 unsafe
        self.reset()
        for size in sizes:
            self.parts.append(nn.Linear(size, size))

    def reset(self):
        self.first, self.last = nn.Identity(), nn.Identity()

    def forward(self, x):
        x = self.first(x)
        for part in self.parts:
            x = part(x)
        return x


class ReadOnOneWay(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.parts = []  # want: PF306 unsafe
        for size in sizes:
            self.parts.append(nn.Linear(size, size))

    def forward(self, x):
        if len(x) > 100:
            return self.absent(x)
        for part in self.parts:
            x = part(x)
        return x


net = SetByAnother([2])
net.head = nn.Identity()
