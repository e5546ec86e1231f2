# One epoch; a loop that only evaluates; a sampler that does not shuffle; samplers of other kinds.
import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset
from torch.utils.data.distributed import DistributedSampler

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def once(data, model, optimizer):
    loader = DataLoader(data, sampler=DistributedSampler(data))
    model.to(device)
    for _ in range(1):
        for (x,) in loader:
            model(x.to(device)).sum().backward()
            optimizer.step()


def evaluated(data, model, optimizer):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, sampler=sampler)
    model.to(device)
    for epoch in range(3):
        optimizer.step()
        for (x,) in loader:
            print(model(x.to(device)).sum().item())


def in_order(data, model, optimizer):
    loader = DataLoader(data, sampler=DistributedSampler(data, shuffle=False))
    model.to(device)
    for epoch in range(3):
        for (x,) in loader:
            model(x.to(device)).sum().backward()
            optimizer.step()


def of_one_process(data, model, optimizer):
    loader = DataLoader(data, sampler=RandomSampler(data))
    model.to(device)
    for epoch in range(3):
        for (x,) in loader:
            model(x.to(device)).sum().backward()
            optimizer.step()
