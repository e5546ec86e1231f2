# A layer that is an argument before a keyword is not assigned there.
# run: device = "cuda" if torch.cuda.is_available() else "cpu"; print(Net().to(device)(torch.ones(4, 3).to(device)).shape)
import torch
from torch import nn


def watched(layer, rows, scale=1):
    return layer(rows) * scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.b = nn.Linear(3, 3)

    def forward(self, x):
        noise = torch.zeros(4, 3, device=x.device)  # want: PF304
        return self.b(noise) + watched(self.b, x, scale=2)
