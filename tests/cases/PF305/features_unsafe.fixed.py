# options: unsafe
import math

import torch
from torch import nn


def frequencies(scale, size):
    return torch.randn(size) * scale


def features(v, b):
    angles = 2 * math.pi * v @ b.T
    return torch.cat((torch.cos(angles), torch.sin(angles)), dim=-1)


class Fourier(nn.Module):
    def __init__(self, scale, given, made):
        super().__init__()
        self.register_buffer("b", frequencies(scale, (made, given)), persistent=False)  # want: PF305 unsafe
        self.register_buffer("more", torch.ones(given, made) * scale, persistent=False)  # want: PF305 unsafe

    def forward(self, v):
        return features(v, self.b).sum() + torch.matmul(v, self.more).sum()


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Fourier(1.0, 2, 3).to(device)
print(f"{net(torch.ones(4, 2).to(device)).item():.4f}")
