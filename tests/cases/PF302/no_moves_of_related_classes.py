# A class that inherits from the class, or is a base of another one together with it, moves the attribute.
# run: derived = Derived(); derived.to_cpu(); derived.run(); both = Both(); both.leave(); both.work()
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class One:
    def __init__(self):
        self.net = nn.Linear(3, 2).to(device)

    def run(self):
        x = torch.zeros(2, 3)
        return self.net(x)


class Derived(One):
    def to_cpu(self):
        self.net.cpu()


class Two:
    def __init__(self):
        self.model = nn.Linear(3, 2).to(device)

    def work(self):
        x = torch.zeros(2, 3)
        return self.model(x)


class Mixin:
    def leave(self):
        self.model.cpu()


class Both(Two, Mixin):
    def more(self):
        return self.work()
