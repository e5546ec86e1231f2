# rules: PF401,PF402,PF406
"""No new device where the function needs CUDA all the same: a GPU by its number, NCCL, an exit, a function inside, an answer."""
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def numbered(x):
    a = torch.relu(x).cuda()  # want: PF401 report
    return a + torch.relu(x).cuda(1).cuda()  # want: PF401 report  # want: PF401 report


def group(net, x):
    dist.init_process_group(backend="nccl")
    return torch.relu(x).cuda()  # want: PF401 report


def wrapped(x, gpu):
    net = DistributedDataParallel(nn.Linear(2, 2), device_ids=[gpu])
    return net(torch.relu(x).cuda())  # want: PF401 report


def leaves(x):
    y = torch.relu(x).cuda()  # want: PF401 report
    if not torch.cuda.is_available():
        sys.exit(1)
    return y.cuda()  # want: PF401 note


def inside(x):
    def numbered(y):
        return torch.relu(y).cuda(1)  # want: PF401 report

    return numbered(torch.relu(x).cuda())  # want: PF401 report


def answered(x):
    name = torch.cuda.get_device_name(0)
    return name, torch.relu(x).cuda()  # want: PF401 report


def at_hand(x):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.relu(x).to(device) + torch.relu(x).cuda(1).to(device)  # want: PF401  # want: PF401 report


def alone(x):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.relu(x).to(device)  # want: PF401
# not run: it is for two GPUs, and starts a process group
