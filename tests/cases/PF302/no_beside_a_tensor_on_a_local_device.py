"""A device that a function binds in two arms, or after the tensor is made, and tensors that meet only others of the CPU."""
import torch


def bound_after(model, x):
    rest = torch.zeros(2, 2)
    rest = rest + rest
    device = model.weight.device
    return rest, torch.zeros(2, device=device) + model(x.to(device))


def bound_in_two_arms(model, x, spare):
    if spare is None:
        device = model.weight.device
    else:
        device = spare
    total = torch.zeros(2, device=device)
    counts = torch.zeros(2)
    counts = counts + 1
    return total + model(x.to(device)), counts


def copied(model, x):
    device = model.weight.device
    total = torch.zeros(2, device=device).cpu()
    rest = torch.zeros(2, 2)
    return rest + total, model(x.to(device))
