"""Tests that do not exclude each other."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def by_number(n):
    model = nn.Linear(3, 2)
    if n > 1:
        model = nn.DataParallel(model)  # want: PF102
    if n > 0:
        model.to(device)
    return model


def by_flags(multi, other):
    model = nn.Linear(3, 2)
    if multi:
        model = nn.DataParallel(model)  # want: PF102
    if not other:
        model.to(device)
    return model


print(by_number(2)(torch.ones(2, 3).to(device)).shape, by_flags(True, False)(torch.ones(2, 3).to(device)).shape)
