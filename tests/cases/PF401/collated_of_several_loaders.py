"""Each of the loaders collates by default: a part of their batches, and of a pair in them, is a tensor."""
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Fake:
    def cuda(self):
        return self


class Pairs(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, number):
        return (torch.ones(3), torch.ones(2)), number


if len(sys.argv) > 1:
    loader = DataLoader(Pairs(), batch_size=2)
elif len(sys.argv) > 2:
    loader = DataLoader(Pairs(), batch_size=4)
else:
    loader = DataLoader(Pairs())
model = nn.Linear(3, 2).cuda()  # want: PF401


def train():
    for (x, y), number in loader:
        number = number.cuda()  # want: PF401
        y = y.cuda()  # want: PF401
        print((number - number).sum().item(), (model(x.cuda()) - y).shape)  # want: PF401


train()
