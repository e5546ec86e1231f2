"""Functions that make batches of arrays or of tensors on the CPU; a `forward` that asks where it runs, or of which the result stays on the CPU."""
import numpy as np
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def batch_of(rows):
    return torch.from_numpy(np.sort(rows.numpy())).to(device)


class Reader:
    def forward(self, rows):
        return torch.from_numpy(np.sort(rows.numpy())).to(device)


class Host(nn.Module):
    def forward(self, x):
        return torch.from_numpy(np.sort(x.numpy()))


class Asks(nn.Module):
    def forward(self, x):
        if x.device.type == "cpu":
            return torch.from_numpy(np.sort(x.numpy())).to(device)
        return x.sort().values


class Other(nn.Module):
    def forward(self, x, table):
        rows = torch.ones(2).to(device)
        return rows + len(table), x.numpy()


rows = torch.ones(2, 3)
batch_of(rows), Reader().forward(rows), Host()(rows), Asks()(rows), Other()(rows, rows)
