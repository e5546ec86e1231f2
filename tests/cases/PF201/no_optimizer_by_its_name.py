# options: unsafe
"""What gets the parameters makes no optimizer, by its name, and may read them or place the model."""
import torch.nn as nn


def counted(device, optimize, count_of):
    model = nn.Linear(3, 2)
    total = count_of(model.parameters())
    optimize(model.parameters())
    model.to(device)
    return total


def placed_first(device, optimizer_fn):
    model = nn.Linear(3, 2)
    model.to(device)
    return optimizer_fn(model.parameters(), lr=0.1)
