# options: unsafe
# A function gets a device, or binds a name to the device of a tensor, and does not read it: the tensors that it makes go there.
# given: from drive import device
# run: x = torch.ones(4, 3, device=device); x.masked_fill(masked(3, device), 0), offset(x), x * weights(3, device), x - ids(3)[0]
import torch


def masked(n, device):
    return torch.ones(n, n).tril()[0] > 1  # want: PF302 unsafe, warning


def offset(x):
    device = x.device
    rows = torch.arange(len(x))  # want: PF302 unsafe, warning
    return torch.cumsum(rows, 0), x


def weights(n, device=None):
    if device is None:
        device = torch.device("cpu")
    found = torch.linspace(0, 1, n)  # want: PF302 unsafe, warning
    return found


def ids(n):
    return torch.arange(n, device=device).unsqueeze(0)
