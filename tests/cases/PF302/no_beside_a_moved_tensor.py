# What is moved is no tensor with a dimension, meets nothing that the function makes, or comes back.
# given: from drive import device
import torch


def scalar(x):
    scale = torch.tensor(2.0).to(x.device)
    return scale * torch.tensor(3.0)


def apart(x, n):
    steps = torch.arange(n).to(x.device)
    return steps.sum().item() * torch.ones(n)


def back(x, n):
    steps = torch.arange(n).to(x.device)
    steps = steps.cpu()
    return steps * torch.ones(n)


def to_a_type(x, n):
    steps = torch.arange(n).to(x.dtype)
    return steps * torch.ones(n)


def table_of(x, keys):
    table = torch.arange(5.0)
    return table[keys].to(x.device)


# run: x = torch.ones(3).to(device)
# run: print(scalar(x).item(), apart(x, 3), back(x, 3), to_a_type(x, 3), table_of(x, torch.tensor([1])).item())
