# einops leaves a tensor on its device.
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(Mean().to(device)(torch.ones(3, 2, device=device)).shape)
# run: print(Masked().to(device)(torch.ones(3, 2, device=device)).shape)
import torch
from einops import rearrange, repeat
from torch import nn


class Mean(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(2, 2, bias=False)

    def forward(self, x):
        total = self.line(x).cumsum(dim=0)
        count = torch.arange(1, x.shape[0] + 1).float()  # want: PF304
        return total / rearrange(count, "n -> n 1")


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(2, 2, bias=False)

    def forward(self, x):
        x = rearrange(self.line(x), "b n -> n b")
        mask = torch.ones(x.shape[1])  # want: PF304
        return x * repeat(mask, "n -> b n", b=x.shape[0])


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
models = [Mean().to(device), Masked().to(device)]
