# options: unsafe
# The same method of another class reads the device of its argument.
# given: from types import SimpleNamespace
# run: graph = SimpleNamespace(edges=torch.ones(4, 2, dtype=torch.long, device=device), device=device)
# run: Conv().to(device).gathered(graph)
import torch
from torch import nn


class Base(nn.Module):
    def forward(self, graph):
        return self.gathered(graph)


class Plain(Base):
    def gathered(self, graph):
        return torch.cat([graph.edges[:, 0], torch.arange(4, device=graph.device)])


class Conv(Base):
    def gathered(self, graph):
        start, end = graph.edges.t()[:2]
        return torch.stack([end, start, torch.arange(4)])  # want: PF304 unsafe, warning


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = Conv().to(device)
