"""`default_collate` makes tensors, or raises: a part of its batch is no object of a class with a `.cuda()` of its own."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Fake:
    def cuda(self):
        return self


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(8, 3), torch.randn(8, 2)), batch_size=4)
model = nn.Linear(3, 2).cuda()  # want: PF401


def train():
    for i, (x, y) in enumerate(loader):
        y = y.cuda()  # want: PF401
        print(i, (model(x.cuda()) - y).abs().sum().item())  # want: PF401


train()
