# Only process 0 comes to the collective, by each spelling of the rank.
import os

import torch
import torch.distributed as dist


def saves(model):
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "model.pt")
        dist.barrier()  # want: PF415 report


def reduces(loss):
    rank = int(os.environ["LOCAL_RANK"])
    if not rank:
        dist.all_reduce(loss)  # want: PF415 report
        print(loss.item())


def leaves(loss):
    rank = dist.get_rank()
    is_main = rank == 0
    if not is_main:
        return None
    dist.reduce(loss, dst=0)  # want: PF415 report
    return loss.item()


def is_main_process():
    return get_rank() == 0


def get_rank():
    if not dist.is_initialized():
        return 0
    return dist.get_rank()


def asks(epoch, loss):
    if is_main_process() and epoch % 10 == 0:
        torch.distributed.all_reduce(loss)  # want: PF415 report


def loops(loader, model):
    for x in loader:
        if get_rank() > 0:
            continue
        outputs = [torch.zeros(2) for _ in range(2)]
        dist.all_gather(outputs, model(x))  # want: PF415 report
