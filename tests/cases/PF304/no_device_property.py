# run: there = "cuda" if torch.cuda.is_available() else "cpu"
# run: print(Table(3).to(there)(torch.ones(2, 3, device=there)).shape)
"""A class with a property `device` may make tensors that meet nothing of it: numbers of classes are counted on the CPU."""
import torch
from torch import nn


class Table(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.project = nn.Linear(width, width)

    @property
    def device(self):
        return self.project.weight.device

    def forward(self, x):
        counts = torch.zeros(4)
        counts[0] = x.sum()
        print(int(counts.sum().item() * 0))
        return self.project(x.to(self.device))
