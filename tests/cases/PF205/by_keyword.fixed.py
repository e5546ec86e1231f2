"""The tensor of a Parameter may be given by its name."""
# options: unsafe
# before: clean: nothing is trained
# numbers: a parameter more on a device than before
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.weight = nn.Parameter(data=torch.ones(3).to(device))  # want: PF205 unsafe
        self.bias = nn.Parameter(requires_grad=True, data=torch.zeros(3).to(device))  # want: PF205 unsafe
        self.fixed = nn.Parameter(data=torch.zeros(3).to(device))

    def forward(self, x):
        return x * self.weight + self.bias + self.fixed


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(len(list(Scale(device).to(device).parameters())))
