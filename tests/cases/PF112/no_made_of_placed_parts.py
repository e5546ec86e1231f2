# not run: one module comes from elsewhere
import torch
import torch.nn as nn

from elsewhere import make

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.randn(2, 4).to(device)


class Wrap(nn.Module):
    def __init__(self, inner, scale=None):
        super().__init__()
        self.inner, self.scale = inner, nn.LayerNorm(4)
        self.body = inner

    def forward(self, x):
        return self.body(x)


first = nn.Sequential(nn.Linear(4, 4).to(device), nn.ReLU())
first(x)
second = Wrap(nn.Linear(4, 4).to(device))
second(x)
third = Wrap(make())
third(x)
