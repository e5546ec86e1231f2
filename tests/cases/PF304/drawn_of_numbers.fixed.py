"""torch.normal of numbers draws on the CPU."""
import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        noise = torch.normal(0.0, 1.0, (4, 3)).to(x.device)  # want: PF304
        return self.lin(x) + noise


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Noisy().to(device)(torch.ones(4, 3).to(device)).shape)
