import torch
import torch.distributed as dist


def main(rank):
    dist.init_process_group("nccl")
    torch.cuda.set_device(rank)
    torch.cuda.synchronize()
