# What a batch holds goes to a model that moves it, or that reads some of it on the CPU.
# options: unsafe
import torch
from torch import nn
from torch.utils.data import DataLoader


class Moving(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)

    def forward(self, x):
        x = x.to(self.layer.weight.device)
        return self.layer(x)


class Packing(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 4)

    def forward(self, x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths)
        return self.rnn(packed)


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)

    def forward(self, names, **rest):
        return [self.layer(rest[name]) for name in names]


def moved_inside(rows, device):
    model = Moving().to(device)
    return [model(**batch) for batch in DataLoader(rows)]


def moved_first(rows, device):
    model = nn.Bilinear(3, 3, 4).to(device)
    for batch in DataLoader(rows):
        batch = [x.to(device) for x in batch]
        model(*batch)


def packed(rows, device):
    model = Packing().to(device)
    for batch in DataLoader(rows):
        model(**batch)


def by_their_names(rows, device):
    model = Named().to(device)
    for batch in DataLoader(rows):
        model(**batch)
