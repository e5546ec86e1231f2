# options: unsafe
"""Arms for several devices whose name is set in the arm, is not CUDA's, or has an arm that stops."""
import torch
from torch import nn


def again(model, device):
    if device == "cuda":  # want: PF403 report
        device = torch.device("cpu")
        model = model.cuda()
    elif device == "mps":
        model = model.to("mps")
    return model, device


def stops(model, device):
    if device == "cuda":  # want: PF403 report
        model = model.cuda()
    else:
        raise ValueError(device)
    return model


def word(model, device):
    if device == "gpu":  # want: PF403 report
        model = model.cuda()
    elif device == "mps":
        model = model.to("mps")
    return model


class Own:
    def cuda(self):
        return "its own"


def own(device):
    thing = Own()
    if device == "cuda":  # want: PF403 report
        thing = thing.cuda()
    elif device == "cpu":
        thing = None
    return thing


print(again(nn.Linear(2, 1), "cpu"), word(nn.Linear(2, 1), "cpu"), own("cpu"))
