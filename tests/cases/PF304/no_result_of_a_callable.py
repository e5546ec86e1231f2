# options: unsafe
"""Results of callables that get no tensor, tensors without a dimension, and arms of which one places something."""
import torch
import torch.nn as nn


class Made(nn.Module):
    def __init__(self, make, size):
        super().__init__()
        self.make, self.size = make, size

    def forward(self, x):
        noise = self.make(self.size) + torch.zeros(3)
        return noise.tolist(), x


class Numbers(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        return self.scale(x) * torch.tensor(2.0)


class Placed(nn.Module):
    def forward(self, x, y, device):
        if x.shape == y.shape:
            z = y.to(device)
        else:
            z = torch.zeros(x.shape)
        return x * z
