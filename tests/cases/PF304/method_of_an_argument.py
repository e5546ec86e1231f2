# The input is a tensor only by assumption, and a method leaves its result there.
# options: unsafe
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(Mean().to(device)(torch.ones(3, 2, device=device)).sum())
# run: print(Weighted().to(device)(torch.ones(2, 3, device=device)).sum())
import torch
from torch import nn


class Mean(nn.Module):
    def forward(self, x):
        total = x.cumsum(dim=0)
        count = torch.arange(1, x.shape[0] + 1).float()  # want: PF304 unsafe
        return total / count[:, None]


class Weighted(nn.Module):
    def forward(self, x):
        x = x.clip(0, 1)
        return x * torch.ones(3)  # want: PF304 unsafe


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
models = [Mean().to(device), Weighted().to(device)]
