# options: unsafe
# Containers that the constructor fills in loops and arms, copies, or names before it stores them.
import copy

import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, x):
        return self.inner(x).relu()


class Pair(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = Cell(width)
        self.second = Cell(width)

    def forward(self, x):
        return self.first(x) + self.second(x)


class Tower(nn.Module):
    def __init__(self, width, depth, wide):
        super().__init__()
        self.trunk = nn.Linear(width, width)
        stages = list()
        for number in range(depth):
            stages.append(Cell(width))
            if number:
                stages.append(nn.LayerNorm(width))
        stages.append(nn.Linear(width, width, bias=True))
        self.stages = nn.ModuleList(stages)  # want: PF306 unsafe
        for stage in self.stages:
            stage.requires_grad_(True)
        self.blocks = nn.ModuleList()  # want: PF306 unsafe
        for _ in range(depth):
            self.blocks.append(nn.ModuleList([Cell(width), nn.LayerNorm(width)]))
        model = Cell(width)
        self.copies = nn.ModuleList([copy.deepcopy(model) for _ in range(depth)])  # want: PF306 unsafe
        self.pairs = nn.ModuleList(list(Pair(width) for _ in range(depth)))  # want: PF306 unsafe
        self.flows = nn.ModuleList()  # want: PF306 unsafe
        self.flows += [Cell(width)]
        if wide:
            self.flows += [Cell(width)]
        self.ways = nn.ModuleDict()  # want: PF306 unsafe
        for key in ("up", "down"):
            self.ways[key] = nn.Linear(width, width)

    def forward(self, x):
        x = self.trunk(x)
        for stage in self.stages:
            x = stage(x)
        for cell, norm in self.blocks:
            x = norm(cell(x))
        for number, model in enumerate(self.copies):
            x = model(x) * number
        for pair in reversed(self.pairs):
            x = pair(x)
        for at in range(len(self.flows)):
            x = self.flows[at](x)
        for way in self.ways.values():
            x = way(x)
        return x


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Tower(4, 2, True).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.randn(5, 4).to(device)).pow(2).mean()
loss.backward()
optimizer.step()
print(f"{loss.item():.4f}")
