# options: unsafe
# `forward` uses a plain tensor with a value of which the device is not seen, or returns it.
# given: from drive import device
import torch
from torch import nn


class Encoding(nn.Module):
    def __init__(self, length, size):
        super().__init__()
        pe = torch.zeros(length, size)
        pe[:, 0] = torch.arange(length)
        self.register_buffer("pe", pe, persistent=False)  # want: PF305 unsafe, warning

    def forward(self, x):
        return self.pe[: x.shape[0]]


class Scaled(nn.Module):
    def __init__(self, space, weigh):
        super().__init__()
        self.register_buffer(
            "scale", torch.tensor((space.high - space.low) / 2.0), persistent=False
        )  # want: PF305 unsafe, warning
        self.register_buffer("bias", torch.tensor((space.high + space.low) / 2.0))
        self.weigh = weigh

    def forward(self, x):
        y = self.weigh(x)
        return y * self.scale + self.bias


# run: import types
# run: import numpy as np
# run: space = types.SimpleNamespace(low=np.zeros(3), high=np.ones(3))
# run: x = torch.ones(4, 3).to(device)
# run: print((x + Encoding(5, 3).to(device)(x)).sum().item())
# run: print(Scaled(space, lambda v: v * 2).to(device)(x).sum().item())
