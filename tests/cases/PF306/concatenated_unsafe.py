# options: unsafe
# Lists of modules that are added up.
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(Field(3).to(device)(torch.ones(2, 3).to(device)).shape)
import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, size, width=8, depth=3):
        super().__init__()
        self.points = [nn.Linear(size, width)] + [nn.Linear(width, width) for _ in range(depth - 1)]  # want: PF306 unsafe
        self.out = nn.Linear(width, 4)

    def forward(self, x):
        for layer in self.points:
            x = torch.relu(layer(x))
        return self.out(x)
