"""The docstring of the constructor names the method that makes a tensor: the constructor does not call it."""
import torch
from torch import nn


class Weighted(nn.Module):
    def __init__(self, count):
        """count: the number of inputs of `self.forward()`."""
        super().__init__()
        self.weights = nn.Parameter(torch.ones(count))

    def forward(self, inputs):
        values = torch.FloatTensor(inputs).to(self.weights.device)  # want: PF304
        return values * self.weights


device = "cuda" if torch.cuda.is_available() else "cpu"
model = Weighted(3).to(device)
print(model([1.0, 2.0, 3.0]).sum().item())
