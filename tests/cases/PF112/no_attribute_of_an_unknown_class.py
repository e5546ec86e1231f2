"""What the class derives from is not known: a module, mostly, whose parts move with it."""

import torch
from torch import nn

from library import Base


class Embeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(30, 8)

    def forward(self, x):
        return self.words(x)


class Model(Base):
    def __init__(self):
        super().__init__()
        self.embeddings = Embeddings()
        head = nn.Linear(8, 2)
        self.head = head

    def forward(self, device):
        x = torch.zeros(3, dtype=torch.long, device=device)
        return self.head(self.embeddings(x))


class Other(Model):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear(2, 2)

    def score(self, device):
        return self.last(torch.zeros(3, 2, device=device))
