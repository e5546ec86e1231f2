"""A group of one process."""
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn


def main():
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29500", rank=0, world_size=1)
    model = nn.DataParallel(nn.Linear(3, 2).cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = model(torch.randn(4, 3)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
