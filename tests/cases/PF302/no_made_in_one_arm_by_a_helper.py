# options: unsafe
# The tensor of the CPU is moved behind the arms, the arms belong to devices, or one makes no tensor.
import torch


def moved_below(n, device, given):
    if given:
        taus = grid(n, device)
    else:
        taus = torch.zeros(n)
    taus = taus.to(device)
    return taus


def of_devices(n, device):
    taus = torch.zeros(n) if device.type == "cpu" else torch.zeros(n, device=device)
    return taus


def numbers(n, device, given):
    if given:
        ids = rows(n, device)
    else:
        ids = list(range(n))
    return ids


def written(n, given):
    return torch.zeros(n) if given else torch.ones(n)
