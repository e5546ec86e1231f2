# options: unsafe
import math

import torch
from torch import nn


class Positional(nn.Module):
    def __init__(self, width, length=16):
        super(Positional, self).__init__()
        self.dropout = nn.Dropout(0.0)
        table = torch.zeros(length, width)
        position = torch.arange(0, length).float().unsqueeze(1)
        rates = torch.exp(torch.arange(0, width, 2).float() * -(math.log(10000.0) / width))
        table[:, 0::2] = torch.sin(position * rates)
        table[:, 1::2] = torch.cos(position * rates)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)  # want: PF305 unsafe

    def forward(self, x):
        return self.dropout(x + self.table[:, : x.size(1)])


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Positional(4).to(device)
x = torch.randn(2, 5, 4).to(device)
print(f"{net(x).sum().item():.4f}")
