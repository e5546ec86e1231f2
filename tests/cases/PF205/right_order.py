import torch
from torch import nn


class Right(nn.Module):
    """The tensor moves before it is a Parameter, or the type alone changes, or it goes to the CPU."""

    def __init__(self, device):
        super().__init__()
        self.a = nn.Parameter(torch.ones(3).to(device))
        self.b = nn.Parameter(torch.ones(3))
        self.c = nn.Parameter(torch.ones(3)).to(torch.float32)
        self.d = nn.Parameter(torch.ones(3)).to("cpu")
        self.e = nn.Linear(3, 3).to(device)

    def forward(self, x):
        return self.e(x * self.a + self.b.to(x.device))
