# Unpacked options may hold a device, and an unpacked shape may be empty: a tensor of no dimension may be on the CPU.
import torch
from torch import nn


class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(3, 4)

    def forward(self, x, value, *shape):
        mean = self.mean(x)
        options = {"dtype": mean.dtype, "device": mean.device}
        eps = torch.randn(*mean.shape, **options)
        return mean + eps * torch.full(*value)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Sampler().to(device)(torch.ones(2, 3).to(device), ((), 2.0)).shape)
