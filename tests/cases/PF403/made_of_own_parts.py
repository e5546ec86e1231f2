# rules: PF401, PF403
"""Modules of parts that the function makes, items of a loader by a key, and tensors with a dimension are on the CPU where the flag is off."""
# run: print(made(torch.cuda.is_available()).shape, read([{"x": torch.ones(1, 3)}], torch.cuda.is_available()))
# run: print(scaled(torch.ones(2), torch.cuda.is_available()).shape)
import torch
import torch.nn as nn


def made(use_cuda):
    layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])
    if use_cuda:  # want: PF403
        layers.cuda()
    x = torch.ones(1, 3)
    if use_cuda:  # want: PF403
        x = x.cuda()
    return layers[1](layers[0](x))


def read(train_loader, use_cuda):
    total = 0.0
    for batch in train_loader:
        for key in batch:
            value = batch[key]
            if use_cuda:  # want: PF403
                value = value.cuda()
            total += value.sum().item()
    return total


def scaled(x, use_cuda):
    y = torch.zeros(len(x)).view(-1)
    if use_cuda:  # want: PF403
        y = y.cuda()
    return y
