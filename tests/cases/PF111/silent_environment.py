# Each process sees its GPU: the variable is set from a value of the process, in one of several ways.
import os

import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main(gpu):
    os.environ.update({"CUDA_VISIBLE_DEVICES": gpu})
    dist.init_process_group("nccl")
    return DDP(nn.Linear(3, 2).cuda())
