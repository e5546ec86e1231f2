"""The caller chooses the device, and may run the module without its wrapper: with the CPU and one GPU, the wrap would take it there."""
# run: print(load("cpu").module(torch.ones(1, 4)).shape)
import torch
from torch import nn


def load(device):
    model = nn.Linear(4, 2)
    model = nn.DataParallel(model)  # want: PF102 unsafe
    model.to(device)
    return model


def other(device):
    model = nn.Linear(4, 2)
    if device == "cpu":
        model = nn.DataParallel(model)  # want: PF102 unsafe
        model.to(device)
    return model


def by_type(device):
    model = nn.Linear(4, 2)
    if device.type == "cpu":
        model = nn.DataParallel(model)  # want: PF102 unsafe
        model.to(device)
    return model


def another_name(device):
    model = nn.Linear(4, 2)
    if device != "mps":
        model = nn.DataParallel(model)  # want: PF102 unsafe
        model.to(device)
    return model
