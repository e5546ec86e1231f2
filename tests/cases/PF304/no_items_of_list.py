# run: there = "cuda" if torch.cuda.is_available() else "cpu"
# run: print(Lags(3).to(there)(torch.ones(2, 3, device=there)).shape)
"""The items of the list are all made on the CPU, and only their stack goes to the device."""
import torch
from torch import nn


class Lags(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.project = nn.Linear(width, width)

    def forward(self, x):
        rows = []
        for lag in range(2):
            rows.append(torch.zeros(x.size(1)) if lag else torch.ones(x.size(1)))
        return self.project(torch.stack(rows).to(x.device)) + x
