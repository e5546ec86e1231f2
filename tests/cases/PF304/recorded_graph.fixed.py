# options: unsafe
"""A graph of the module is recorded: the fix adds a node to it."""
import torch
from torch import nn
from torch.fx import symbolic_trace


class Steps(nn.Module):
    def forward(self, x):
        return x + torch.arange(x.size(0), device=x.device)  # want: PF304 unsafe


class Rows(nn.Module):
    def forward(self, x):
        return x + torch.arange(x.size(0), device=x.device)  # want: PF304


graph = symbolic_trace(Steps())
# run: device = "cuda" if torch.cuda.is_available() else "cpu"
# run: print(Steps()(torch.ones(3, device=device)).sum().item(), Rows()(torch.ones(3, device=device)).sum().item())
