"""DistributedDataParallel is used."""
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn


def run(rank, world_size):
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    model = nn.parallel.DistributedDataParallel(nn.Linear(3, 2).to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = model(torch.randn(4, 3)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
