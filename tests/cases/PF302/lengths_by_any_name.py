"""Lengths that `forward` packs, under any name of the function and of the argument, want the CPU."""
import torch
import torch.nn as nn
from torch.nn.utils import rnn as recurrent
from torch.nn.utils.rnn import pack_padded_sequence as pack

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class ByAlias(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(1, 2, batch_first=True)

    def forward(self, x, n):
        return self.rnn(pack(x, n, batch_first=True))[1]


class ByKeyword(ByAlias):
    def forward(self, x, n):
        return self.rnn(recurrent.pack_padded_sequence(x, batch_first=True, lengths=n.long()))[1]


class Computed(ByAlias):
    def forward(self, x, n):
        kept = n.clamp(min=1)
        counts = kept + 0
        return self.rnn(pack(x, counts, batch_first=True))[1]


class ByMethod(ByAlias):
    def packed(self, x, n):
        return pack(x, n, batch_first=True)

    def forward(self, x, n):
        return self.rnn(self.packed(x, n))[1]


padded = torch.ones(2, 3, 1).to(device)
sizes = torch.tensor([3, 2])
one = ByAlias().to(device)
print(one(padded, sizes).shape)
two = ByKeyword().to(device)
print(two(padded, sizes).shape)
three = Computed().to(device)
print(three(padded, sizes).shape)
four = ByMethod().to(device)
print(four(padded, sizes).shape)
