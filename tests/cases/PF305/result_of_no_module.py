# A result that is copied to the CPU, is no tensor, or is of something that is no attribute of the module.
import torch
from torch import nn
from somewhere import Schedule, Vocabulary, encode


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.heads = nn.ModuleList([Encoder()])
        self.schedule = Schedule()
        self.vocabulary = Vocabulary()
        self.rate = torch.full((3,), 2.0)
        self.table = torch.full((3,), 2.0)
        self.copied = torch.full((3,), 2.0)
        self.listed = torch.full((3,), 2.0)

    def forward(self, words):
        rate = float(self.schedule(3)) * self.rate
        table = self.table[self.vocabulary(words).item()]
        copied = self.encoder(words).cpu() * self.copied
        listed = [head(words).detach().cpu().numpy() for head in self.heads]
        return rate, table, copied, encode(words) * self.listed, listed
