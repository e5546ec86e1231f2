# options: unsafe
# The tensor meets nothing on the device that the function reads, or that is moved first; a test of the device comes before.
import torch


def apart(values, x):
    steps = torch.arange(3)
    return values(steps), torch.zeros(3, device=x.device)


def moved(values, x):
    steps = torch.arange(3)
    total = values(x) * steps.to(x.device)
    return total + torch.zeros(3, device=x.device)


def inner(x):
    def grid():
        down = torch.arange(0, 3)
        return down.tolist(), torch.zeros(3, device=x.device)

    return grid()


def tested(values, x):
    if x.is_cuda:
        return values(x)
    steps = torch.arange(3)
    return values(x) * steps + torch.zeros(3, device=x.device)
