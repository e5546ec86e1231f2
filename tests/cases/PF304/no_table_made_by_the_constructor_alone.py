"""Only the constructor calls the method that makes a tensor: its result becomes a buffer before the module is moved."""
import torch
from torch import nn


class Weighted(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.weights = nn.Parameter(torch.ones(count))
        self.register_buffer("table", self.make_table(count))

    def make_table(self, count):
        """The values that `self.forward` adds."""
        return torch.arange(count) * self.weights.detach()

    def forward(self, x):
        return x * self.weights + self.table


device = "cuda" if torch.cuda.is_available() else "cpu"
model = Weighted(3).to(device)
print(model(torch.ones(3, device=device)).sum().item())
