import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(args):
    model = nn.Linear(6, 2)
    model = DDP(model, device_ids=[args.gpu])  # want: PF101 report
    rank = dist.get_rank()
    model.to(rank)
    return model
