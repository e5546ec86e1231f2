# Without device_ids the launcher may show each process one GPU.
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def setup():
    dist.init_process_group("nccl")


def main():
    setup()
    device = torch.device("cuda")
    model = DistributedDataParallel(nn.Linear(3, 2).to(device))  # want: PF111 report, warning
    return model(torch.ones(4, 3).to(device))
