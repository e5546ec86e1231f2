# options: unsafe
# A part of an argument whose device another method reads is where the argument is; all tensors that are stacked have a device.
# given: from types import SimpleNamespace
# run: graph = SimpleNamespace(edges=torch.ones(4, 2, dtype=torch.long, device=device), device=device)
# run: Conv().to(device).gathered(graph)
import torch
from torch import nn


class Conv(nn.Module):
    def gathered(self, graph):
        start, end = graph.edges.t()[:2]
        return torch.stack([end, start, torch.arange(4, device=start.device)])  # want: PF304 unsafe, warning

    def forward(self, graph):
        return torch.zeros(3, device=graph.device)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = Conv().to(device)
