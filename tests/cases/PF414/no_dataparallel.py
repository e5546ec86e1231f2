# A module without a wrapper, or with DistributedDataParallel, returns one loss.
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x, y):
        return F.cross_entropy(self.fc(x), y)


def bare(x, y):
    model = Loss().cuda()
    loss = model(x.cuda(), y.cuda())
    loss.backward()


def distributed(x, y, rank):
    model = DistributedDataParallel(Loss().to(rank), device_ids=[rank])
    loss = model(x.to(rank), y.to(rank))
    loss.backward()


def module(x, y):
    model = nn.DataParallel(Loss().cuda())
    loss = model.module(x.cuda(), y.cuda())
    loss.backward()
