# options: unsafe
# The batches are moved by the generator, or where they are taken.
# run: Trainer(torch.ones(4, 3)).step(); Mover(torch.ones(4, 3)).step()
import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def cycle(loader):
    while True:
        for data in loader:
            yield data


def moved(loader):
    while True:
        for data in loader:
            yield data.to(device)


class Trainer:
    def __init__(self, dataset):
        self.net = nn.Linear(3, 2).to(device)
        self.batches = cycle(DataLoader(dataset))

    def step(self):
        data = next(self.batches).to(device)
        return self.net(data)


class Mover:
    def __init__(self, dataset):
        self.net = nn.Linear(3, 2).to(device)
        self.batches = moved(DataLoader(dataset))

    def step(self):
        return self.net(next(self.batches))
