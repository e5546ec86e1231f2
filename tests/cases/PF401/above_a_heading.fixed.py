"""A definition above a comment that starts a paragraph is a paragraph of its own; between code and its comment there is no room for it."""
# run: print(make(2), plain(2))
import torch


def make(n):
    size = n + 1

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    # the layers
    first = torch.nn.Linear(n, size).to(device)  # want: PF401

    # their sum
    return sum(p.sum().item() for p in first.parameters()) * 0


def plain(n):
    size = n + 1
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    # the layers
    first = torch.nn.Linear(n, size).to(device)  # want: PF401
    return sum(p.sum().item() for p in first.parameters()) * 0
