# The result of a function: it is moved, it met a tensor of the device inside, it has no dimension, or the function that calls reads no device.
import torch


def ramp(n):
    return torch.arange(n)


def like(x, n):
    return torch.arange(n).to(x.device) * x


def moved(x, n):
    return x * ramp(n).to(x.device)


def moved_later(x, n):
    steps = ramp(n)
    steps = steps.to(x.device)
    return x * steps


def inside(x, n):
    return (x + like(x, n)).to(x.device)


def unseen(x, n):
    return x * ramp(n)


def on_host(x, n):
    steps = ramp(n)
    return x.cpu() * steps, x.device


def tested(x, n):
    if x.device.type == "cpu":
        return x * ramp(n)
    return x * ramp(n).to(x.device)


def rows(values, device):
    if len(values) < 1:
        return torch.zeros(2)
    return torch.as_tensor(values, dtype=torch.float, device=device)


def by_arm(x):
    return x * rows([1.0, 2.0], x.device)
