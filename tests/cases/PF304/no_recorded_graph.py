"""A graph is recorded of modules whose tensors are indices, or have the device of the input."""
import torch
from torch import nn
from torch.fx import symbolic_trace


class Rows(nn.Module):
    def forward(self, x):
        return x[torch.arange(x.size(0))]


class Steps(nn.Module):
    def forward(self, x):
        return x + torch.arange(x.size(0), device=x.device)


print(symbolic_trace(Rows()).graph, symbolic_trace(Steps()).graph)
