# options: unsafe
# Nothing reads the device of the argument: its parts may be on the CPU.
import torch
from torch import nn


class Conv(nn.Module):
    def gathered(self, layout):
        start, end = layout.edges.t()[:2]
        return torch.stack([end, start, torch.arange(4)])

    def forward(self, graph):
        return torch.zeros(3, device=graph.device)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = Conv().to(device)
