"""A parameter that is a flag decides over what meets what it places, and nothing else."""
import torch
import torch.nn as nn


def fit(steps, use_cuda=False):
    device = torch.device("cuda" if use_cuda else "cpu")
    net = nn.Linear(3, 1).to(device)
    total = torch.zeros(1).cuda()  # want: PF401 unsafe
    for _ in range(steps):
        total += net(torch.ones(2, 3).to(device)).sum().item()
    return total
