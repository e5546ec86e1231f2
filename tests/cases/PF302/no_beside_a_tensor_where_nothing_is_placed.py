"""Functions of a file that places nothing: nothing shows another device than the CPU, or the device is tested."""
import torch


def of_the_cpu(x):
    return x + torch.zeros(3)


def moved_where_it_is(x):
    steps = torch.arange(3).to(x.device)
    return x * steps


def tested(x):
    if x.device.type == "cpu":
        return x + torch.zeros(3)
    return x + torch.zeros(3, device=x.device)


def apart(x):
    counts = torch.zeros(3)
    return counts, torch.ones(3, device=x.device)
