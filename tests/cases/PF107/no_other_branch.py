"""The group is started in one branch, and DataParallel is for the other."""
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main(distributed):
    if distributed:
        dist.init_process_group("nccl")
    model = nn.Linear(3, 2).cuda()
    if distributed:
        model = DistributedDataParallel(model)
    else:
        model = nn.DataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = model(torch.randn(4, 3)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
