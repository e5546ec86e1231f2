import torch
from torch import nn


class Kernel(nn.Module):
    """`alpha` runs while the module is made, on the CPU."""

    def __init__(self, tau):
        super().__init__()
        self.register_buffer("tau", torch.tensor([tau]))
        self.register_buffer("kernel", self.alpha(), persistent=False)

    def alpha(self):
        t = torch.arange(0.0, 5.0)
        return t * torch.exp(-t / self.tau)

    def forward(self, x):
        return x * self.kernel
