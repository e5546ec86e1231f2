# A module that is made in two arms, each of a class whose code is here, and that is fed a tensor of the CPU.
# run: print(run("small").shape, run("large").shape, run("linear").shape)
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


def build(name):
    if name == "small":
        return Small()
    if name == "large":
        return Large()
    return nn.Linear(3, 2)


def run(name):
    net = build(name).to(device)
    x = torch.ones(4, 3, device=device)  # want: PF302
    return net(x)
