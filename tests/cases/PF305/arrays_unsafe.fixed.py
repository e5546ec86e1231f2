# options: unsafe
"""An array has a dimension, most likely: without one, numbers of the CPU go with everything."""
import numpy as np
import torch
from torch import nn


class Flow(nn.Module):
    def __init__(self, mask):
        super().__init__()
        self.scale = nn.Linear(2, 2)
        self.register_buffer("mask", torch.from_numpy(mask).float(), persistent=False)  # want: PF305 unsafe, warning

    def forward(self, x):
        return x * self.mask + self.scale(x) * (1 - self.mask)


class Scaled(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.factor = torch.tensor(factor)

    def forward(self, x):
        return self.linear(x) * self.factor


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
x = torch.ones(4, 2).to(device)
print(f"{Scaled(0.5).to(device)(x).sum().item():.4f} {Flow(np.array([0, 1])).to(device)(x).sum().item():.4f}")
