# A property `device` of the module goes before the weight of a layer; one of another meaning does not.
import torch
from torch import nn


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding(6, 3)

    @property
    def device(self):
        return next(self.parameters()).device

    def forward(self, count=4):
        return self.rows(torch.arange(count, device=self.device))  # want: PF304


class Weighed(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding(6, 3)

    @property
    def device(self):
        """Where the table is."""
        return self.rows.weight.device

    def forward(self, count=4):
        return self.rows(torch.arange(count, device=self.device))  # want: PF304


class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding(6, 3)

    @property
    def device(self):
        return torch.device("cpu")

    def forward(self, count=4):
        return self.rows(torch.arange(count, device=self.rows.weight.device))  # want: PF304


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
print(f"{Table().to(device)().sum().item() + Weighed().to(device)().sum().item() + Other().to(device)().sum().item():.4f}")
