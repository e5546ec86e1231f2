"""Items of tables that the code reads on the host, or takes under two indices, are numbers."""
import torch
from torch import nn


class Scheduled(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)

    def forward(self, x, steps=2):
        table = torch.linspace(0.5, 1.0, 8).reshape(4, 2)
        total = self.linear(x) * table[1, 0]
        for step in range(steps):
            total = total * table[step, 1] + table[step].sum().item()
        return total


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
print(f"{Scheduled().to(device)(torch.ones(2, 3, device=device)).sum().item():.3f}")
