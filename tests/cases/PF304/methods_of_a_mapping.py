# An item of a mapping is a tensor, and its method gives one: that shows nothing of the mapping.
import torch
from torch import nn


class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, batch):
        return self.fc(batch["x"].flatten(1))


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Part()

    def forward(self, batch):
        sizes = torch.arange(3)
        batch["sizes"] = sizes
        return self.part(batch)
