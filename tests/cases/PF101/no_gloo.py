import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, device):
    dist.init_process_group("gloo", rank=rank, world_size=2)
    model = nn.Linear(6, 2)
    model = DDP(model)  # want: PF101 unsafe
    model.to(device)
    return model
