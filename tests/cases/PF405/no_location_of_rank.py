# Every process loads the checkpoint to its device, or to the CPU.
import torch
import torch.distributed as dist
from torch import nn


def main(path, rank):
    dist.init_process_group("nccl")
    model = nn.Linear(3, 2).to(rank)
    model.load_state_dict(torch.load(path, map_location=f"cuda:{rank}"))
    model.load_state_dict(torch.load(path, "cpu"))
