"""The class of the model is in a file that is not there."""
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from net import Net


def run(rank, world_size):
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    model = nn.DataParallel(Net().to(rank))  # want: PF107 report
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = model(torch.randn(4, 3)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
