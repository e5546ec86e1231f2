"""The caller chooses the device, but not the CPU in this arm."""
# run: where = "cuda" if torch.cuda.is_available() else "cpu"
# run: print(load(where), other(where), mirrored(where), by_type(torch.device(where)))
import torch
from torch import nn


def load(device):
    model = nn.Linear(4, 2)
    if device == "cpu":
        model.eval()
    else:
        model.to(device)
        model = nn.DataParallel(model)  # want: PF102
    return model


def other(device):
    model = nn.Linear(4, 2)
    if device != "cpu":
        model.to(device)
        model = nn.DataParallel(model)  # want: PF102
    return model


def mirrored(device):
    model = nn.Linear(4, 2)
    if "cpu" != device:
        model.to(device)
        model = nn.DataParallel(model)  # want: PF102
    return model


def by_type(device):
    model = nn.Linear(4, 2)
    if device.type != "cpu":
        model.to(device)
        model = nn.DataParallel(model)  # want: PF102
    return model
