import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, epochs):
    net = nn.Linear(6, 2).to(rank)
    model = DDP(net, device_ids=[rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    model(torch.ones(4, 6).to(rank)).sum().backward()
    optimizer.step()
    net.cpu()
    print(sum(parameter.sum() for parameter in net.parameters()).item())
    net.to(rank)
    model = DDP(net, device_ids=[rank])
    model(torch.ones(4, 6).to(rank)).sum().backward()
    optimizer.step()
    return model
