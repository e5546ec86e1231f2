"""A function whose callers have all taken what they hand it to the CPU: what it makes there meets nothing of a device."""
import torch
from torch import nn


def on_host(x, n):
    return torch.cat([torch.zeros(n - x.shape[0], x.shape[1]), x[:, :3]], dim=0)  # want: PF304 unsafe, warning


def sometimes(x, n):
    return torch.cat(
        [torch.zeros(n - x.shape[0], x.shape[1], device=x.device), x[:, :3]], dim=0
    )  # want: PF304


class Net(nn.Module):
    def __init__(self, encoder, head):
        super().__init__()
        self.encoder = encoder
        self.head = head

    def forward(self, x):
        y = self.encoder(x)
        z = self.head(y)
        y = y.cpu()
        y = on_host(y, 6)
        x = sometimes(z, 6)
        return x, y
# not run: what it is made of is given from outside
