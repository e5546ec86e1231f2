import torch
from torch import nn


class Fallback(nn.Module):
    def forward(self, x: torch.Tensor):
        bias = torch.zeros(4)
        try:
            return x + bias.view(1, 4)
        except RuntimeError:
            return x + bias.to(x.device)
