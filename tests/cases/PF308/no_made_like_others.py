"""States that are made where something at hand lies."""
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 3)

    def forward(self, x):
        first = self.rnn(x, torch.zeros_like(x[:1]))[0]
        second = self.rnn(first, x.new_zeros(1, x.size(1), 3))[0]
        third = self.rnn(second, torch.zeros(1, x.size(1), 3).type_as(x))[0]
        return self.rnn(third, torch.zeros(1, x.size(1), 3).expand_as(x[:1]).to(x))[0]


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Tagger().to(device)(torch.ones(2, 3, 3).to(device)).shape)
