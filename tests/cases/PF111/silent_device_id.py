# The process group is told the GPU; another one gets it from the environment.
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def told(rank):
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    return DDP(nn.Linear(3, 2).cuda())


def shown(rank):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(rank)
    dist.init_process_group("nccl")
    return DDP(nn.Linear(3, 2).cuda())
