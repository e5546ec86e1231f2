"""Where a tensor lies, and devices that are no words, say nothing of a flag."""
import torch
from torch import nn


def follow(x, y):
    if x.device == "cuda":  # want: PF403 note
        y = y.cuda()
    return x + y


def vendor(model, device):
    if device == "npu":  # want: PF403 note
        model = model.cuda()
    return model


def either(model, device):
    if device != "cuda":  # want: PF403 note
        model = model.cuda()
    return model


def arms(x, device):
    if device == "cuda":  # want: PF403 unsafe
        x = x.cuda()
    elif device == "cpu":
        x = x.cpu()
    return x


model = nn.Linear(2, 1)
print(follow(torch.ones(2), torch.ones(2)), vendor(model, "cpu"), arms(torch.ones(1), "cpu"))
