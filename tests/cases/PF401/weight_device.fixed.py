# options: unsafe
"""A device at hand that may be None or anything: the module's own weights say where it lies."""
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.norm = nn.BatchNorm1d(n, affine=False)
        self.out = nn.Linear(n, n)

    def start(self, count, device=None):
        print(device)
        return torch.zeros(count, self.out.in_features, device=self.out.weight.device)  # want: PF401 unsafe

    def forward(self, x):
        return self.out(x + self.start(len(x)))


net = Decoder(3)
net.to("cuda" if torch.cuda.is_available() else "cpu")
print(net(torch.ones(2, 3, device=net.out.weight.device)).shape)
