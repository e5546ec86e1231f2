"""The handler is the way to the CPU, wherever the move stands in the try."""
import torch
from torch import nn


def load(path):
    model = nn.Linear(2, 1)
    try:
        state = torch.load(path)
        model.load_state_dict(state)
        model.cuda()  # want: PF401 report
        where = "cuda"
    except (RuntimeError, AssertionError):
        print("no GPU: on the CPU")
        where = "cpu"
    return model, where
