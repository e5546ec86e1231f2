import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        with torch.device(x.device):
            bias = torch.zeros(x.size(0), 4)
        return x + bias
