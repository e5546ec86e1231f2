# rules: PF401, PF403
"""Modules of parts that the function makes, items of a loader by a key, and tensors with a dimension are on the CPU where the flag is off."""
# run: print(made(torch.cuda.is_available()).shape, read([{"x": torch.ones(1, 3)}], torch.cuda.is_available()))
# run: print(scaled(torch.ones(2), torch.cuda.is_available()).shape)
import torch
import torch.nn as nn


def made(use_cuda):
    layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])
    device = torch.device("cuda" if use_cuda else "cpu")
    # want: PF403
    layers.to(device)
    x = torch.ones(1, 3)
    # want: PF403
    x = x.to(device)
    return layers[1](layers[0](x))


def read(train_loader, use_cuda):
    total = 0.0
    device = torch.device("cuda" if use_cuda else "cpu")
    for batch in train_loader:
        for key in batch:
            value = batch[key]
            # want: PF403
            value = value.to(device)
            total += value.sum().item()
    return total


def scaled(x, use_cuda):
    device = torch.device("cuda" if use_cuda else "cpu")
    y = torch.zeros(len(x), device=device).view(-1)  # want: PF403
    return y
