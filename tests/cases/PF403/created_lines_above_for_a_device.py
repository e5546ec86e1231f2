# Tensors that the lines above the guard create are created on a device that is there already, in one statement or in several.
# options: unsafe
# run: print([t.sum().item() for t in (*pair(2, device), *alike(2, device), *at_times(2, device, False))])
# given: import torch
# given: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
import torch


def pair(n, device):
    a = torch.zeros(n)  # the sum
    b = torch.ones(n)
    if device.type == "cuda":  # want: PF403 unsafe
        a, b = a.cuda(), b.cuda()
    return a, b


def alike(n, device):
    a = torch.zeros(n)
    b = torch.ones(n)
    if device.type == "cuda":  # want: PF403 unsafe
        a = a.cuda()
        b = b.cuda()
    else:
        a = a
    return a, b


def at_times(n, device, rarely):
    a = torch.zeros(n)
    if device.type == "cuda":  # want: PF403 unsafe
        if rarely:
            a = a.cuda()
    return (a,)
