# The function that process 0 calls comes to the collective on some paths only, or not at all.
import torch.distributed as dist


def reduced(value):
    if not dist.is_initialized():
        return value
    dist.all_reduce(value)
    return value


def optional(value, sync):
    if sync:
        dist.all_reduce(value)
    return value


def main(value):
    if dist.get_rank() == 0:
        print(reduced(value))
        print(optional(value, sync=False))
    dist.barrier()
