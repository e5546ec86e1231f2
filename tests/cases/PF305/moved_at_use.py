import torch
from torch import nn


class Moves(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.tensor([0.4, 0.5, 0.6])
        self.std = torch.ones(3)
        self.shift = torch.ones(3)

    def _apply(self, fn):
        super()._apply(fn)
        self.shift = fn(self.shift)
        return self

    def forward(self, x: torch.Tensor):
        self.std = self.std.to(x.device)
        return (x - self.mean.to(x.device)) / self.std + self.shift
