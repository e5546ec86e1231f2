"""A function that is called before starts the group, unless it is started."""
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn


def setup():
    torch.manual_seed(0)
    if not dist.is_initialized():
        dist.init_process_group("nccl")


def main():
    setup()
    model = nn.DataParallel(nn.Linear(3, 2).cuda(), device_ids=[0])  # want: PF107 report
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = model(torch.randn(4, 3)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


main()
