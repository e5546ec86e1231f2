"""Arguments that are handed on."""
import torch


def place(x, *args, **kwargs):
    return torch.relu(x).cuda(*args, **kwargs)  # want: PF401 report
