"""The function that starts the group is not called before the wrap."""
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn


def setup():
    dist.init_process_group("nccl")


def main():
    model = nn.DataParallel(nn.Linear(3, 2).cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = model(torch.randn(4, 3)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


main()
