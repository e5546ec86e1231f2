import torch
from torch import nn


torch.set_default_device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        return x + torch.zeros(x.size(0), 4)
