# options: unsafe
"""A part of the batch meets a tensor in arithmetic alone: it may be a number."""
import torch


def energies(batches, device):
    total = 0
    for x, y in batches:
        x = x.to(device)
        total += ((1 + y) * x.sum(1)).sum().item()
    return total
