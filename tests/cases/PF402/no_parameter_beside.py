# options: unsafe
"""A parameter that may be None is at hand, and nothing beside is placed on it."""
import torch


def pad(size, length, device=None):
    ids = torch.zeros(size, dtype=torch.long)
    if length:
        ids = torch.cat([ids, torch.ones(length, dtype=torch.long, device="cuda").cpu()])  # want: PF402 report
    return ids
