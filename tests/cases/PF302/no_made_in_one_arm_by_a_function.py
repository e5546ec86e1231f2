# options: unsafe
"""The arm that leaves the tensor on the CPU moves it later, is for the CPU, or returns what a function moves."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def padded(rows, size):
    out = torch.zeros(len(rows), size)
    for number, row in enumerate(rows):
        out[number, : len(row)] = row
    return out


def padded_there(rows, size):
    return padded(rows, size).to(device)


def moved_below(flat, nested):
    if nested:
        labels = padded(flat, 3).view(1, -1, 3).to(device)
    else:
        labels = padded(flat, 3)
    labels = labels.to(device)
    return labels


def by_device(flat, place):
    if place.type == "cuda":
        labels = padded(flat, 3).to(device)
    else:
        labels = padded(flat, 3)
    return labels


def by_another(flat, nested):
    if nested:
        labels = padded(flat, 3).to(device)
    else:
        labels = padded_there(flat, 3)
    return labels


def not_known(flat, nested, make):
    if nested:
        labels = padded(flat, 3).to(device)
    else:
        labels = make(flat, 3)
    return labels


def drawn_of_another(weights, count):
    kept = torch.ones(4)
    if count:
        chosen = torch.multinomial(kept, count)
    else:
        chosen = torch.tensor([], device=kept.device)
    return chosen
