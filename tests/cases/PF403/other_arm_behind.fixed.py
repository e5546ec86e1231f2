# run: print(between(torch.cuda.is_available()).weight.device.type, Net(torch.cuda.is_available()).half)
"""What stands first leaves the guard in front of it, whatever the other arm does; what stays is spelled with the same device."""
import torch
from torch import nn


def between(use_cuda):
    model = nn.Linear(2, 1)
    device = torch.device("cuda" if use_cuda else "cpu")
    model.to(device)
    if use_cuda:  # want: PF403
        print("cuda")
        print(model(torch.ones(1, 2, device=device)).shape)
    return model


class Net:
    def __init__(self, use_cuda):
        self.model = nn.Linear(2, 1)
        device = torch.device("cuda" if use_cuda else "cpu")
        self.model.to(device)
        if use_cuda:  # want: PF403
            self.half = True
        else:
            self.model.double()
            self.half = False
