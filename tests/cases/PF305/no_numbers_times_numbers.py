import torch
from torch import nn


class Scaled(nn.Module):
    """Numbers of the CPU go with everything."""

    def __init__(self, gain):
        super().__init__()
        self.scale = torch.tensor(2.0) * gain
        self.shift = torch.tensor(gain) + 1

    def forward(self, x: torch.Tensor):
        return x * self.scale + self.shift


class Elsewhere(nn.Module):
    """Where the number lies the product lies."""

    def __init__(self, other):
        super().__init__()
        self.scale = torch.tensor(2.0) * other

    def forward(self, x: torch.Tensor):
        return x @ self.scale


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.ones(2, 2, device=device)
print(Scaled(3.0).to(device)(x).sum().item(), Elsewhere(torch.ones(2, 2, device=device)).to(device)(x).sum().item())
