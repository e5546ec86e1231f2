import torch
from torch import nn


class Collect(nn.Module):
    """Slices are written across devices, and `copy_` copies across them."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        kept = torch.zeros(x.size(0), 4)
        kept[:] = self.fc(x)
        buffer = torch.empty(x.size(0), 4).copy_(x)
        return kept.cpu().numpy(), buffer.tolist()
