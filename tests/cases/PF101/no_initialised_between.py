import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank):
    model = nn.Linear(6, 2)
    model = DDP(model, device_ids=[rank])  # want: PF101 report
    nn.init.orthogonal_(model.module.weight)
    model.to(rank)
    return model
