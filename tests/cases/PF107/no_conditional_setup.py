"""The function starts the group only when it is asked to."""
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn


def setup(distributed):
    if distributed:
        dist.init_process_group("nccl")


def main(distributed):
    setup(distributed)
    model = nn.DataParallel(nn.Linear(3, 2).cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = model(torch.randn(4, 3)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
