# run: device = "cuda" if torch.cuda.is_available() else "cpu"
# run: print(Mixed(4)().sum().item(), Plain()(torch.ones(2)).sum().item(), Replaced(4)().sum().item(), Host(4).to(device)().sum().item())
import torch
from torch import nn


class Mixed(nn.Module):
    def __init__(self, width):
        super().__init__()
        torch.manual_seed(0)
        self.steps = nn.ModuleList([nn.Linear(width, width), nn.Identity()])

    def forward(self):
        x = torch.zeros(1, 4)
        return self.steps[1](x)


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList([nn.ReLU() for _ in range(2)])

    def forward(self, x):
        ones = torch.ones(2)
        for step in self.steps:
            ones = step(ones)
        return x + ones.to(x.device)


class Replaced(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.steps = nn.ModuleList([nn.Linear(width, width) for _ in range(2)])
        self.swap()

    def swap(self):
        self.steps[0] = nn.Identity()

    def forward(self):
        return self.steps[0](torch.ones(1, 4))


class Host(nn.Module):
    def __init__(self, width):
        super().__init__()
        torch.manual_seed(0)
        self.steps = nn.ModuleList()
        self.add(nn.Identity())

    def add(self, step):
        self.steps.append(step)

    def forward(self):
        return self.steps[0](torch.ones(1, 4))
