import torch
from torch import nn


class Window(nn.Module):
    """Nothing here is shown to be a tensor from outside: `scale` may be a number, `emb` is made here."""

    def table(self, length, width, scale):
        emb = torch.exp(torch.arange(width, dtype=torch.float) * -scale)
        emb = torch.arange(length, dtype=torch.float).unsqueeze(1) * emb.unsqueeze(0)
        return torch.cat([torch.sin(emb), torch.zeros(length, 1)], dim=1)

    def forward(self, x, scale):
        return x.view(-1) * 2 * scale
