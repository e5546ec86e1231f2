# Nothing is reported if the attribute is registered afterwards, if a method of the class may replace it, or if it is a number.
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(Replaced().to(device)(torch.ones(2, 3, device=device)).shape)
# run: print(OwnMethod().to(device)(torch.ones(2, 3, device=device)).shape)
# run: print(Number().to(device)(torch.ones(2, 3, device=device)).sum())
import torch
from torch import nn


class Replaced(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = torch.ones(3)
        del self.shift
        self.register_buffer("shift", torch.zeros(3))
        self.line = nn.Linear(3, 3)

    def forward(self, x):
        return self.line(x) - self.shift


class OwnMethod(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = torch.ones(3)
        self.line = nn.Linear(3, 3)
        self.train(False)

    def train(self, mode=True):
        setattr(self, "shift", 1.0)
        return super().train(mode)

    def forward(self, x):
        return self.line(x) - self.shift


class Number(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = torch.tensor(0.0)
        self.register_buffer("scale", torch.ones(3))

    def forward(self, x):
        return x * self.scale + self.step


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
models = [Replaced().to(device), OwnMethod().to(device), Number().to(device)]
