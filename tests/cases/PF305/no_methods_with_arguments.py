"""Methods of a plain attribute that take numbers, tensors without a dimension, or tensors that the attribute's device follows."""
import torch
from torch import nn


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.table = torch.ones(4)
        self.factor = torch.tensor(2.0)

    def forward(self, x):
        rows = self.table.add(1).clamp(0, 2).sum().item()
        beside = self.table.to(x.device).mul(self.linear(x).mean(1))
        return self.linear(x).mul(self.factor).sum() * rows + beside.sum()


class Chosen(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.seen = set()

    def forward(self, x):
        self.seen.add(x.shape[0])
        return self.linear(x).sum() + len(self.seen)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
x = torch.ones(4, 3).to(device)
print(f"{Table().to(device)(x).item():.4f} {Chosen(2).to(device)(x).item():.4f}")
