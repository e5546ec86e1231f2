# One of the modules moves its input, one of the classes is unknown, or is no module, or its modules hold nothing that an input could meet.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


class Moving(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x.to(self.fc.weight.device))


class Plain:
    def to(self, device):
        return self

    def __call__(self, x):
        return x.sum()


class Counting(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.names = names
        self.least: int = 0

    def forward(self, numbers):
        numbers = numbers[numbers != -1]
        return [self.names[number.item()] for number in numbers]


MOVING = {"small": Small, "moving": Moving}
MIXED = {"small": Small, "plain": Plain}


def moving(name):
    net = MOVING[name]().to(device)
    x = torch.ones(4, 3)
    return net(x)


def mixed(name):
    net = MIXED[name]().to(device)
    x = torch.ones(4, 3)
    return net(x)


def either(name):
    net = (Moving() if name == "moving" else Moving()).to(device)
    x = torch.ones(4, 3)
    return net(x)


def counted():
    net = Counting(["a", "b"]).to(device)
    return net(torch.tensor([0, 1, -1]))


print(moving("moving").shape, either("moving").shape, counted(), mixed("plain"))
