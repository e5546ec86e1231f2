"""The script starts the group in its first lines."""
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn

dist.init_process_group(backend="nccl")


def train():
    model = nn.Linear(3, 2).cuda()
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)  # want: PF107 report
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = model(torch.randn(4, 3)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


train()
