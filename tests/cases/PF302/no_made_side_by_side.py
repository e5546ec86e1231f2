# options: unsafe
# All are on the CPU, all are on devices, a number is beside them, or nothing names the device.
import torch


def of_host(n):
    return torch.zeros(n), torch.ones(n)


def numbers(n, device):
    return torch.distributions.Normal(torch.zeros(n, device=device), torch.tensor(1.0))


def spread(n, device, other):
    return torch.zeros(n, device=device), torch.ones(n, device=other), torch.ones(n)


def like(x, n):
    return torch.zeros_like(x), torch.ones(n)
