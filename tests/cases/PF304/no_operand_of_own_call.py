# run: there = "cuda" if torch.cuda.is_available() else "cpu"
# run: print(Bags(3).to(there)(torch.tensor([0, 2], device=there)).sum().item())
"""The creation meets the operand of its own call, which the function makes on the CPU as well; the result is moved."""
import torch
from torch import nn


class Bags(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embed = nn.Embedding(4, width)
        nn.init.ones_(self.embed.weight)

    def forward(self, index):
        offsets = torch.arange(index.size(0))
        ends = torch.cat([offsets, torch.full((1,), index.size(0), dtype=offsets.dtype)])
        return self.embed(index).sum(0) * ends.to(index.device).sum()
