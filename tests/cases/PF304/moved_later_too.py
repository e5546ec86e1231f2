# The move of a tensor to the device where it is made now goes; other moves stay.
import torch
from torch import nn


class Padded(nn.Module):
    def forward(self, x, target):
        empty = torch.zeros(x.size(0), 1)  # want: PF304
        empty[x.sum(1)[:, None] == 0] = 1
        rest = torch.zeros(target.size(0), 1)  # want: PF304
        rest[target.sum(1)[:, None] == 0] = 1
        x = torch.cat([x, empty.to(x.device)], dim=1)
        target = torch.cat([target, rest.to(target.device)], dim=1)
        return (x * target).sum()


class Kept(nn.Module):
    def forward(self, x, y):
        ones = torch.ones(x.size(0), 1)  # want: PF304
        ones[x.sum(1)[:, None] == 0] = 2
        x = x.cpu()
        total = (x + ones.to(x.device)).sum()
        if total > 0:
            ones = torch.zeros(1, 1).to(y.device)
        return total + (ones.to(y.device, torch.float64) + y).sum().cpu()


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x, y = torch.arange(6.0).view(2, 3).to(device), torch.ones(2, 3).to(device)
print(f"{Padded()(x, y).item() + Kept()(x, y).item():.4f}")
