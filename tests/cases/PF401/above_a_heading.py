"""A definition above a comment that starts a paragraph is a paragraph of its own; between code and its comment there is no room for it."""
# run: print(make(2), plain(2))
import torch


def make(n):
    size = n + 1

    # the layers
    first = torch.nn.Linear(n, size).cuda()  # want: PF401

    # their sum
    return sum(p.sum().item() for p in first.parameters()) * 0


def plain(n):
    size = n + 1
    # the layers
    first = torch.nn.Linear(n, size).cuda()  # want: PF401
    return sum(p.sum().item() for p in first.parameters()) * 0
