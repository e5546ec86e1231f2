# A module that is part of another one computes its argument with a parameter or a buffer of its own.
# run: x = torch.ones(2, 3).to(device)
# run: print(Turned(4).to(device)(x, 2), Scaled(3).to(device)(x).shape)
import torch
from torch import nn


class Angles(nn.Module):
    def __init__(self, dim):
        super().__init__()
        frequencies = 1.0 / 100 ** (torch.arange(0, dim, 2).float() / dim)
        self.register_buffer("frequencies", frequencies)

    def forward(self, positions):
        angles = torch.einsum("i,j->ij", positions, self.frequencies)
        return torch.cat((angles.sin(), angles.cos()), dim=-1)


class Turned(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.angles = Angles(dim)

    def forward(self, x, most=None):
        positions = torch.arange(x.shape[1]).float()  # want: PF304
        if most is not None:
            positions = positions.clamp(max=most)
        return self.angles(positions)


class Gain(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return x * self.gain


class Scaled(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.scale = Gain(dim)

    def forward(self, x):
        return self.scale(torch.zeros(x.shape[1]))  # want: PF304


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
turned = Turned(4).to(device)
scaled = Scaled(3).to(device)
