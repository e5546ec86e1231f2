# Properties that choose between models, that a class attribute hides, that make the model again, or whose setter moves to the CPU.
import functools

import torch
from torch import nn

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Chooses:
    def __init__(self, small):
        self.one = nn.Linear(3, 2).to(DEVICE)
        self.two = nn.Linear(3, 2)
        self.small = small

    @property
    def model(self):
        return self.two if self.small else self.one

    def check(self):
        x = torch.ones(4, 3)
        return self.model(x)


class Given:
    def __init__(self):
        self.net = nn.Linear(3, 2).to(DEVICE)

    @property
    def model(self):
        return self.net


class Hides(Given):
    model = nn.Linear(3, 2)

    def check(self):
        x = torch.ones(4, 3)
        return self.model(x)


class OnCpu:
    def __init__(self):
        self.model = nn.Linear(3, 2).to(DEVICE)

    @property
    def model(self):
        return self._model

    @model.setter
    def model(self, value):
        self._model = value.cpu()

    def check(self):
        x = torch.ones(4, 3)
        return self.model(x)


class Lazy:
    def __init__(self):
        self._net = None

    @property
    def net(self):
        if self._net is None:
            self._net = nn.Linear(3, 2).to(DEVICE)
        return self._net

    def use(self, net):
        self._net = net

    def check(self):
        x = torch.ones(4, 3)
        return self.net(x)


class Cached:
    @functools.cached_property
    def net(self):
        return nn.Linear(3, 2)

    def check(self):
        x = torch.ones(4, 3)
        return self.net(x.to("cpu"))
