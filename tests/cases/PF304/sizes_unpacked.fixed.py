# Unpacked sizes hold no device: `torch.randn(*x.shape)` makes its tensor on the CPU.
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(Sampler().to(device)(torch.ones(2, 3).to(device)).shape)
import torch
from torch import nn


class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(3, 4)
        self.logvar = nn.Linear(3, 4)

    def forward(self, x):
        std = torch.exp(0.5 * self.logvar(x))
        eps = torch.randn(*std.shape).to(std.device)  # want: PF304
        return self.mean(x) + eps * std
