# The module is on the current GPU, cuda:0 in every process, and device_ids is the rank.
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    model = nn.Linear(3, 2).cuda()
    model = DDP(model, device_ids=[local_rank])  # want: PF111 report
    return model(torch.ones(4, 3))


def chosen(rank, size):
    dist.init_process_group(backend="nccl", rank=rank, world_size=size)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = DDP(nn.Linear(3, 2).to(device), device_ids=[rank], output_device=rank)  # want: PF111 report
    return model(torch.ones(4, 3))
