# rules: PF401,PF402,PF403
"""What is not needed without CUDA keeps no device away: a run on several GPUs, a guard, a way without a GPU, another function."""
import argparse

import torch
import torch.distributed as dist
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--distributed", action="store_true")
args = parser.parse_args([])


def several(x):
    if args.distributed:
        dist.init_process_group("nccl")
    return torch.relu(x).cuda()  # want: PF401


def guarded(x):
    if torch.cuda.is_available():  # want: PF403 note
        print(torch.relu(x).cuda(1))
    return torch.relu(x).cuda()  # want: PF401


def gloo(x):
    if dist.is_initialized():
        dist.init_process_group("gloo")
    return torch.relu(x).cuda()  # want: PF401


def tried(x):
    try:
        x = x.cuda(1)  # want: PF401 report
    except RuntimeError:
        print("on the CPU")
    return torch.relu(x), torch.relu(x).cuda()  # want: PF401


class Holder:
    def __init__(self):
        self.net = nn.Linear(2, 2).cuda()  # want: PF401

    def other(self, x):
        return self.net(x).cuda(1)  # want: PF401 report


print(gloo(torch.ones(2)))
# not run: without CUDA its classes want one
