"""The code of a module is seen: it moves itself and its inputs, so only the targets need a move."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class TwoCards(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(10, 20).cuda(0)
        self.second = nn.Linear(20, 5).cuda(1)

    def forward(self, x):
        return self.second(self.first(x.cuda(0)).cuda(1))


def main():
    loader = DataLoader(TensorDataset(torch.randn(40, 10), torch.randint(0, 5, (40,))), batch_size=10)
    model = TwoCards()
    criterion = nn.CrossEntropyLoss()
    for x, y in loader:
        print(criterion(model(x), y.cuda(1)).item())
