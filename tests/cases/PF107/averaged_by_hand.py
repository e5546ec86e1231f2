"""A collective of the file averages the gradients: a warning."""
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn


def run(rank, world_size):
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    model = nn.DataParallel(nn.Linear(3, 2))  # want: PF107 report, warning
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        model(torch.randn(4, 3)).sum().backward()
        for parameter in model.parameters():
            dist.all_reduce(parameter.grad)
        optimizer.step()
