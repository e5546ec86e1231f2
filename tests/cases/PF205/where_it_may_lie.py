"""A Parameter of a tensor that may lie there already."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Corrected(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3, bias=False)
        self.made = nn.Parameter(torch.zeros(3) + 1).to(device)  # want: PF205 unsafe

    def correct(self, error, steps):
        bias = error / steps
        self.lin.register_parameter("bias", nn.Parameter(bias).to(self.lin.weight.device))  # want: PF205 unsafe, warning

    def start(self, value):
        first = torch.full((3,), 2.0)
        self.first = nn.Parameter(first).to(device)  # want: PF205 unsafe
        self.second = nn.Parameter(value.clone()).to(device)  # want: PF205 unsafe, warning
