# Code that an assert or a test for NCCL keeps for GPUs.
import torch
import torch.distributed as dist
from torch import nn


class Kernel(nn.Module):
    def __init__(self, weight):
        super().__init__()
        assert "cuda" in str(weight.device), "weight should be on a GPU"
        self.fc = nn.Linear(3, 3).to("cuda")  # want: PF402 note


def shared_seed():
    seed = torch.randint(0, 10, size=())
    if dist.get_backend() == "nccl":
        seed = seed.to("cuda")  # want: PF402 note
    dist.broadcast(seed, 0)
    return int(seed)
