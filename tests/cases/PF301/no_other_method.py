"""A method that gets what another one moves, where nothing shows that it gets it on the CPU, or that the same model needs it."""
import torch
from torch import nn

from helpers import fetch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Called:
    """The file calls the other method, with a moved batch."""

    def __init__(self, model):
        self.model = model.to(device)

    def step(self, x):
        x = x.to(device)
        return self.model(x).sum() + self.penalty(x)

    def penalty(self, x):
        return self.model(x).abs().mean()


class Private:
    """A method for the class itself, and the forward of a module."""

    def __init__(self, model):
        self.model = model.to(device)

    def step(self, x):
        x = x.to(device)
        return self.model(x).sum()

    def _penalty(self, x):
        return self.model(x).abs().mean()

    def forward(self, x):
        return self.model(x)


class OtherModel:
    """The other method hands it to another model, or to the same in other words."""

    def __init__(self, model, host):
        self.model, self.host = model.to(device), host

    def step(self, x):
        x = x.to(device)
        return self.model(x).sum()

    def probe(self, x):
        return self.host(x).max()

    def slice(self, x, y):
        return self.model(y).max()


class Moves:
    """The other method moves it in another way."""

    def __init__(self, model):
        self.model = model.to(device)

    def step(self, batch):
        x, y = batch
        x, y = x.to(device), y.to(device)
        return nn.functional.cross_entropy(self.model(x), y)

    def inline(self, batch):
        x, y = batch
        return nn.functional.cross_entropy(self.model(x.to(device)), y.to(device))

    def by_a_helper(self, batch):
        x, y = self.put(batch)
        return nn.functional.cross_entropy(self.model(x), y)

    def fetched(self, batch):
        x, y = fetch(batch)
        return nn.functional.cross_entropy(self.model(x), y)

    def put(self, batch):
        return [part.to(device) for part in batch]


class Optional:
    """It may be missing."""

    def __init__(self, model):
        self.model = model.to(device)

    def step(self, x):
        x = x.to(device)
        return self.model(x).sum()

    def noise(self, x=None):
        return self.model(x).sum()


class First:
    def __init__(self, model):
        self.model = model.to(device)

    def step(self, x):
        x = x.to(device)
        return self.model(x).sum()


class Second:
    """Another class."""

    def __init__(self, model):
        self.model = model

    def probe(self, x):
        return self.model(x).max()


def train(model, loader):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        yield nn.functional.cross_entropy(model(x), y)


def on_another_device(model, loader, other):
    for x, y in loader:
        y = y.to(other)
        yield model(x).mean().item(), y.sum().item()


def nothing_is_moved(model, loader):
    for x, y in loader:
        yield (model(x).argmax(1) == y).sum().item()


def once_moved_once_not(model, x):
    first = model(x.to(device))
    return first, model(x)
