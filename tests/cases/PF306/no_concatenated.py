# A list that is repeated holds one module several times, and the sum with a list of the caller holds modules that may be registered there.
import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, size, given):
        super().__init__()
        self.shared = [nn.Linear(size, size)] * 3
        self.given = [nn.Linear(size, size)] + given
        self.sizes = [size] + [size]

    def forward(self, x):
        for layer in self.shared + self.given:
            x = torch.relu(layer(x))
        return x * self.sizes[0]


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Field(3, []).to(device)
