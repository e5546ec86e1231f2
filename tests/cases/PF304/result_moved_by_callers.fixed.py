"""A helper whose result all callers move: its argument comes from the CPU, most likely."""
import torch
from torch import nn


def features(pos):
    bands = torch.linspace(1.0, 2.0, 3, device=pos.device)  # want: PF304 warning
    return torch.cat([torch.sin(pos[:, 0, None] * bands[None, :]), pos[:, :3]], dim=-1)


def scaled(pos):
    return pos[:, :3] * torch.linspace(1.0, 2.0, 3, device=pos.device)  # want: PF304


class Encoding(nn.Module):
    def __init__(self, positions):
        super().__init__()
        self.positions = positions
        self.linear = nn.Linear(6, 2)

    def forward(self, x):
        encoded = features(self.positions(x)).to(device=x.device)
        return self.linear(encoded) + scaled(x).sum()
# not run: the positions come from outside
