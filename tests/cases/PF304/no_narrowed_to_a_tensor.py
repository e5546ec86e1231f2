# The tensor is on the device of the argument, or the argument is a tensor in another arm, or of another class.
import numpy as np
import torch
from torch import nn


class There(nn.Module):
    def forward(self, x):
        assert isinstance(x, torch.Tensor)
        return x * torch.linspace(0.0, 1.0, 3, device=x.device)


class Copied(nn.Module):
    def forward(self, x):
        if isinstance(x, torch.Tensor):
            x = x.cpu()
        else:
            x = torch.tensor(x)
        return x * torch.linspace(0.0, 1.0, 3)


class Array(nn.Module):
    def forward(self, x):
        assert isinstance(x, np.ndarray)
        return torch.from_numpy(x) * torch.linspace(0.0, 1.0, 3)
