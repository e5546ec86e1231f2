# options: unsafe
# DDP on the CPU needs no placement; one whose module is placed has it; a wrapper on some paths only is not judged.
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def main(gpu, several):
    first = DDP(torch.nn.Linear(3, 2))
    print(first(torch.ones(2, 3)))
    second = DDP(torch.nn.Linear(3, 2).cuda(gpu), device_ids=[gpu])
    x = torch.ones(2, 3).cuda(gpu)
    print(second(x))
    third = torch.nn.Linear(3, 2)
    third.cuda(gpu)
    if several:
        third = DDP(third, device_ids=[gpu])
    print(third(x))
