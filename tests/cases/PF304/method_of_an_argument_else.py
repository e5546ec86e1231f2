# The result of the method is not on the device of the argument, or the argument is of a class of the file.
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(Sizes().to(device)(torch.ones(3, 2, device=device)))
# run: print(Host().to(device)(torch.ones(2, 3, device=device)).sum())
# run: print(Table().to(device)(Rows()).sum())
import torch
from torch import nn


class Rows:
    def cumsum(self, dim):
        return torch.ones(3)


class Sizes(nn.Module):
    def forward(self, x):
        return x.argmax(dim=0).sum().item() + torch.arange(x.shape[0]).sum()


class Host(nn.Module):
    def forward(self, x):
        rows = x.cpu()
        return (rows * torch.ones(3)).to(x.device)


class Table(nn.Module):
    def forward(self, rows: Rows):
        return rows.cumsum(dim=0) * torch.ones(3)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
models = [Sizes().to(device), Host().to(device), Table().to(device)]
