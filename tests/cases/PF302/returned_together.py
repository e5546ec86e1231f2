# options: unsafe
# Lengths belong on the CPU; a tensor that numpy reads stays there; a number is no tensor; both are moved.
import torch


def packed(rows, device):
    ids = torch.zeros(len(rows), 3)
    lengths = torch.tensor([len(row) for row in rows])
    ids = ids.to(device)
    return ids, lengths


def with_array(n, device):
    x = torch.zeros(n, 3)
    order = torch.randperm(n)
    print(order.numpy())
    return x.to(device), order


def with_number(n, device):
    x = torch.zeros(n, 3)
    scale = torch.tensor(2.0)
    return x.to(device), scale


def both(n, device):
    x = torch.zeros(n, 3)
    y = torch.ones(n, 3)
    x, y = x.to(device), y.to(device)
    return x, y
