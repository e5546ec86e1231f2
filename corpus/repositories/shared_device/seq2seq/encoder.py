import torch
from torch import nn

from .common import device


class Encoder(nn.Module):
    def __init__(self, n_tokens, n_hidden):
        super().__init__()
        self.n_hidden = n_hidden
        self.embedding = nn.Embedding(n_tokens, n_hidden)
        self.gru = nn.GRU(n_hidden, n_hidden)

    def init_hidden(self, batch):
        return torch.zeros(1, batch, self.n_hidden).cuda()

    def positions(self, length):
        return torch.arange(length, dtype=torch.float, device=device).view(-1, 1, 1)

    def forward(self, tokens):
        embedded = self.embedding(tokens) + 0.01 * self.positions(tokens.size(0))
        return self.gru(embedded, self.init_hidden(tokens.size(1)))
