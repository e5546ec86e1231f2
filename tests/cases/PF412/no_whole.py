# A stream that divides its items, a class with an unknown base, items that are drawn, a loader that has a sampler on one path.
import os
import random

import torch
import torch.distributed as dist
from elsewhere import Base
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler, IterableDataset


class Stream(IterableDataset):
    def __iter__(self):
        start = int(os.environ["RANK"])
        return iter(torch.arange(float(start), 16.0).view(-1, 1))


class Unknown(Base):
    def __getitem__(self, index):
        return torch.ones(1)


class Drawn(Dataset):
    def __len__(self):
        return 16

    def __getitem__(self, index):
        return torch.full((1,), random.random())


class Unfinished(Drawn):
    pass


def main(distributed):
    dist.init_process_group("gloo")
    device = torch.device("cuda", dist.get_rank())
    model = DDP(nn.Linear(1, 1).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for data in (Stream(), Unknown(), Drawn(), Unfinished()):
        train(model, DataLoader(data, batch_size=2), optimizer, device)
    train(model, DataLoader(Stream(), batch_size=2), optimizer, device)
    train(model, DataLoader(Unknown(), batch_size=2), optimizer, device)
    train(model, DataLoader(Drawn(), batch_size=2), optimizer, device)
    train(model, DataLoader(Unfinished(), batch_size=2), optimizer, device)
    items = torch.arange(16.0).view(16, 1)
    loader = DataLoader(items, batch_size=2)
    if distributed:
        loader = DataLoader(items, batch_size=2, sampler=DistributedSampler(items, shuffle=False))
    train(model, loader, optimizer, device)


def train(model, loader, optimizer, device):
    for x in loader:
        loss = model(x.to(device)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
