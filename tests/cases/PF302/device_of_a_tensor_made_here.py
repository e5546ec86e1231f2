# A tensor that nothing moves is on the default device, and so is what is made on its device.
import torch


def f():
    y = torch.zeros(3)
    x = torch.ones(3).to(y.device)
    z = torch.zeros(3)
    return x + z


def g():
    device = torch.empty(0).device
    x = torch.ones(3).to(device)
    return x + torch.zeros(3)


def h():
    y = torch.empty(0)
    x = torch.ones(3, device=y.device)
    return x + torch.zeros(3)
