# With gloo all processes may use one GPU.
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("nccl" if torch.cuda.device_count() > 1 else "gloo")
    return DDP(nn.Linear(3, 2).cuda())


def on_the_cpu():
    dist.init_process_group("gloo")
    return DDP(nn.Linear(3, 2))
