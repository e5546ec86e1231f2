# The part is moved back, or the class sets the attribute to something else as well.
# run: back(); changed(); never()
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Holder(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder


class Changing(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def change(self):
        self.encoder = nn.Linear(3, 2)


def back():
    net = Holder(nn.Linear(3, 2)).to(device)
    net.encoder.cpu()
    x = torch.zeros(2, 3)
    return net.encoder(x)


def changed():
    net = Changing(nn.Linear(3, 2)).to(device)
    net.change()
    x = torch.zeros(2, 3)
    return net.encoder(x)


def never():
    net = Holder(nn.Linear(3, 2))
    x = torch.zeros(2, 3)
    return net.encoder(x)
