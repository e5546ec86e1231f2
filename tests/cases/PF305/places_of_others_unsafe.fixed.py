# options: unsafe
# `forward` takes its input to where a plain tensor is.
# given: from drive import device
import torch
from torch import nn


class OneHot(nn.Module):
    def __init__(self):
        super().__init__()
        buffer = torch.tensor([0.0])
        self.register_buffer("_buffer", buffer, persistent=False)  # want: PF305 unsafe, warning

    def forward(self, ids):
        x = nn.functional.one_hot(ids, num_classes=4)
        return x.type_as(self._buffer)


class Positions(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("scales", torch.arange(size) * 0.5, persistent=False)  # want: PF305 unsafe, warning

    def compute(self, positions, scales):
        return positions.to(scales) * 2

    def forward(self, positions):
        return self.compute(positions, self.scales)


# run: ids = torch.tensor([1, 3]).to(device)
# run: print((OneHot().to(device)(ids) + ids[:, None]).sum().item(), (Positions(2).to(device)(ids) + ids).sum().item())
