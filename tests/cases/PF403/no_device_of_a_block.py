# options: unsafe
"""A device that is read behind its block, bound around the guard, or not the CPU in its other arm, may be its own."""
import torch
from torch import nn


def behind(model, path, use_cuda):
    if use_cuda:  # want: PF403 report
        model.load_state_dict(torch.load(path))
        model.cuda()
    else:
        device = torch.device("cpu")
        model.load_state_dict(torch.load(path, map_location=device))
    return model, torch.ones(1, device=device)


def elsewhere(model, path, use_cuda, other):
    if use_cuda:  # want: PF403 report
        model.load_state_dict(torch.load(path))
        model.cuda()
    else:
        device = torch.device(other)
        model.load_state_dict(torch.load(path, map_location=device))
    return model


def around(model, path, use_cuda, export):
    if export:
        if use_cuda:  # want: PF403 report
            model.load_state_dict(torch.load(path))
            model.cuda()
        else:
            print("on the CPU")
        device = next(model.parameters()).device
        print(device)
    return model


print(nn.Linear(2, 1))
