# The number of the selected GPU is the same in all processes, or only a comment and another class know of a selection.
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

# torch.cuda.set_device(local_rank) is not needed, said the reviewer
FIRST = 0


class Settings:
    def __init__(self, device_id):
        self.device_id = device_id


def first():
    torch.cuda.set_device(0)
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    return DDP(nn.Linear(3, 2).cuda(), device_ids=[local_rank])  # want: PF111 report


def named():
    os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"
    torch.cuda.set_device(FIRST)
    dist.init_process_group("nccl", device_id=torch.device("cuda", 0))
    return DDP(nn.Linear(3, 2).cuda())  # want: PF111 report, warning
