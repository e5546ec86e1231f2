"""Whether processes talk to each other, and whether there is CUDA."""
import torch
import torch.distributed as dist


def mean(value):
    if dist.is_available() and torch.cuda.is_available():  # want: PF407 note
        total = torch.cuda.FloatTensor([value])
        dist.all_reduce(total)
        value = total.item() / dist.get_world_size()
    return value
