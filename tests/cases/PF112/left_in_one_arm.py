# One arm of a test places the module that it makes, and another one does not; a flag for CUDA decides on the module and on its input.
# run: d = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(two_arms(d, True), two_arms(d, False), three_arms(d, 2), bound_before(d, False))
import torch
from torch import nn


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)

    def forward(self, x):
        return self.layer(x)


class Big(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)
        self.last = nn.Linear(4, 4)

    def forward(self, x):
        return self.last(self.layer(x))


def two_arms(device, big):
    if big:
        model = Big().to(device)
    else:
        model = Small()  # want: PF112
    return model(torch.zeros(2, 3, device=device)).shape


def three_arms(device, size):
    if size == 1:
        model = Big().to(device)
    elif size == 2:
        model = Big()  # want: PF112
    else:
        model = Small().to(device)
    return model(torch.zeros(2, 3, device=device)).shape


def bound_before(device, big):
    model = Small()  # want: PF112
    if big:
        model = Big().to(device)
    return model(torch.zeros(2, 3, device=device)).shape
