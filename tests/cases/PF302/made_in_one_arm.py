# options: unsafe
# The arm that makes a tensor on the CPU is the one for the CPU, numpy reads it there, or it has no dimension.
import torch


def by_flag(x, use_cuda, device):
    if use_cuda:
        y = torch.ones(2).to(device)
    else:
        y = torch.zeros(2)
    return y, x


def for_numpy(n, device, plot):
    if n > 1:
        y = torch.ones(2, device=device)
    else:
        y = torch.zeros(2)
    plot(y.cpu().numpy())


def number(n, device):
    if n > 1:
        y = torch.ones(1, device=device)
    else:
        y = torch.tensor(0.5)
    return y


def by_device(n, device):
    if device.type == "cuda":
        y = torch.ones(n, device=device)
    else:
        y = torch.zeros(n)
    return y
