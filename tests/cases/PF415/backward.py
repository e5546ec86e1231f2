# Only process 0 comes to the backward pass, in which DistributedDataParallel averages the gradients of all.
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main(loader):
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    model = DDP(nn.Linear(3, 2).cuda(), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.MSELoss()
    for x, y in loader:
        output = model(x.cuda())
        loss = criterion(output, y.cuda())
        optimizer.zero_grad()
        if rank == 0:
            loss.backward()  # want: PF415 report
            print(loss.item())
        optimizer.step()
    if rank != 0:
        return
    model(torch.ones(2, 3).cuda()).mean().backward()  # want: PF415 report
