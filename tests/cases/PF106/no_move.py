"""To where it lies already; of what may be the CPU; a module that is wrapped again; another module."""
import copy

import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, device, batches):
    same = nn.Linear(6, 2).to(rank)
    same = DDP(same, device_ids=[rank])
    unknown = DDP(nn.Linear(6, 2).to(device))
    again = nn.Linear(6, 2).to(rank)
    wrapped = DDP(again, device_ids=[rank])
    copied = copy.deepcopy(again).cpu()
    optimizer = torch.optim.SGD([*same.parameters(), *unknown.parameters()], lr=0.1)
    for batch in batches:
        same.to(rank)
        unknown.cpu()
        unknown.to(device)
        loss = same(batch).sum() + unknown(batch).sum()
        loss.backward()
        optimizer.step()
    return same, copied, wrapped
