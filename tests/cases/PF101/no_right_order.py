import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, args):
    model = DDP(nn.Linear(6, 2).to(rank), device_ids=[rank])
    other = nn.Linear(6, 2)
    other = torch.nn.parallel.DistributedDataParallel(other.cuda(args.gpu), device_ids=[args.gpu])
    third = nn.SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(nn.Linear(6, 2), nn.BatchNorm1d(2)))
    third.cuda(rank)
    third = DDP(third, device_ids=[rank])
    return model, other, third
