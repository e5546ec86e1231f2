import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from tools import register_hooks


def worker(rank):
    model = nn.Linear(6, 2)
    model = DDP(model, device_ids=[rank])  # want: PF101 report
    register_hooks(model)
    model.to(rank)
    return model
