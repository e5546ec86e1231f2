"""Tensors of a forward that only the host reads, or that meet copies on the CPU."""
import torch
from torch import nn


class Logged(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.seen = []

    def forward(self, x):
        out = self.linear(x)
        edges = torch.linspace(-1.0, 1.0, 3)
        counts = torch.zeros(2)
        counts += (out.detach().cpu() > edges[1]).sum(0)
        self.seen.append((torch.arange(3).tolist(), counts.numpy().shape, torch.ones(2).sum().item()))
        return out * torch.ones(2).sum().item()


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
print(Logged().to(device)(torch.ones(4, 3, device=device)).shape)
