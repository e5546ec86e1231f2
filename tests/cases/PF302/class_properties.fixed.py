# Properties give the placed model and its device: plain, cached, made at the first read, with a setter that places.
# run: Plain().step(), Cached().step(), Lazy().step(), Setting().step(), Chosen().step()
import functools

import torch
from torch import nn

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Plain:
    def __init__(self):
        self._model = nn.Linear(3, 2).to(DEVICE)

    @property
    def model(self):
        return self._model

    def step(self):
        x = torch.ones(4, 3, device=DEVICE)  # want: PF302
        return self.model(x)


class Cached:
    @functools.cached_property
    def net(self):
        return nn.Linear(3, 2).to(DEVICE)

    def step(self):
        x = torch.ones(4, 3, device=DEVICE)  # want: PF302
        return self.net(x)


class Lazy:
    def __init__(self):
        self._net = None

    @property
    def net(self):
        if self._net is None:
            self._net = nn.Linear(3, 2).to(DEVICE)
        return self._net

    def step(self):
        x = torch.ones(4, 3, device=DEVICE)  # want: PF302
        return self.net(x)


class Setting:
    def __init__(self):
        self.net = nn.Linear(3, 2)

    @property
    def net(self):
        return self._net

    @net.setter
    def net(self, value):
        self._net = value.to(DEVICE)

    def step(self):
        x = torch.ones(4, 3, device=DEVICE)  # want: PF302
        return self.net(x)


class Chosen:
    def __init__(self):
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = nn.Linear(3, 2).to(self.device)

    @property
    def device(self):
        return self._device

    def step(self):
        x = torch.ones(4, 3, device=self._device)  # want: PF302
        return self.net(x)
