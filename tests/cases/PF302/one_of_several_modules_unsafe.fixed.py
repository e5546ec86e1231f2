# options: unsafe
"""A module of a class that a dict holds under an unknown key: all of its classes leave their inputs where they are."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


class Large(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x) * 2


NETS = {"small": Small, "large": Large}


def run(name):
    net = NETS[name]().to(device)
    x = torch.ones(4, 3, device=device)  # want: PF302 unsafe
    return net(x)


print(run("small").shape, run("large").shape)
