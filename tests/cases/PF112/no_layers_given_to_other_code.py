"""Code of another package gets the layers and may place them; a Linear of another package is no layer of torch."""
import parallel
import parallel.nn
import torch
from torch import nn


class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = parallel.spread(nn.Linear(3, 3))

    def forward(self, x):
        return self.layer(x)


class Foreign(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = parallel.nn.Linear(3, 3)

    def forward(self, x):
        return self.layer(x)


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Wrapped()
        self.last = nn.Dropout(0.5)

    def forward(self, x):
        return self.last(self.first(x))


wrapped, foreign, outer = Wrapped(), Foreign(), Outer()
x = torch.ones(2, 3, device=torch.device("cuda" if torch.cuda.is_available() else "cpu"))
print(wrapped(x), foreign(x), outer(x))
