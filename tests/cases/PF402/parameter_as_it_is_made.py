"""On a device what is moved is no Parameter: the tensor has to be moved (PF205) before the device can be chosen."""
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(5)).to("cuda")  # want: PF402 report
        bias = nn.Parameter(torch.rand(5))
        self.bias = bias.to("cuda")  # want: PF402 report

    def forward(self, x):
        return x * self.weight + self.bias


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = Scale().to(device)
print(len(list(net.parameters())))
