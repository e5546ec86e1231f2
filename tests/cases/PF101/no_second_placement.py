import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, other):
    model = nn.Linear(6, 2).to(rank)
    model = DDP(model, device_ids=[rank])
    model.to(other)
    return model
