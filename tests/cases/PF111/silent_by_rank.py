# The module is on the GPU of the rank; a group of gloo, of one process, or none at all.
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def by_rank(rank):
    dist.init_process_group("nccl")
    return DDP(nn.Linear(3, 2).to(rank), device_ids=[rank])


def by_device(rank):
    dist.init_process_group("nccl")
    device = torch.device(f"cuda:{rank}")
    return DDP(nn.Linear(3, 2).to(device), device_ids=[rank])


def single():
    dist.init_process_group("nccl", rank=0, world_size=1)
    return DDP(nn.Linear(3, 2).cuda())


def started_elsewhere(model):
    return DDP(nn.Linear(3, 2).cuda())
