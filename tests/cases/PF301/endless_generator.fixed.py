# options: unsafe
# Batches of a loader that a generator yields without end, taken with `next`.
# run: Trainer(torch.ones(4, 3)).step()
import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def cycle(loader):
    while True:
        for data in loader:  # want: PF301 unsafe, warning
            data = data.to(device)
            yield data


class Trainer:
    def __init__(self, dataset):
        self.net = nn.Linear(3, 2).to(device)
        self.batches = cycle(DataLoader(dataset))

    def step(self):
        data = next(self.batches)
        return self.net(data)
