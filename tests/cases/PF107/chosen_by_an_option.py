"""An option chooses between the two wrappers: a warning."""
import torch
import torch.distributed as dist
from torch import nn


def run(rank, world_size, simple):
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    model = nn.Linear(3, 2)
    if simple:
        model = nn.DataParallel(model)  # want: PF107 report, warning
    else:
        model = nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.randn(4, 3)).sum().backward()
    optimizer.step()
