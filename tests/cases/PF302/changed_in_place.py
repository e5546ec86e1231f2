"""What is changed in place cannot be moved where that is done: `x.to(device) += y` is no Python."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 3).to(device)


def bound_beside_another(rows):
    seen, total = [], torch.zeros(3)
    for row in rows:
        total += net(row.to(device)).sum(0)  # want: PF302 report
        seen.append(len(row))
    return sum(seen), total


def read_by_numpy(rows):
    total = torch.zeros(3)
    array = total.numpy()
    for row in rows:
        total -= net(row.to(device)).sum(0)  # want: PF302 report
    return array
