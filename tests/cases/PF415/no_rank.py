# Tests that are not about the rank of the process, or that all processes pass.
import torch.distributed as dist


def single(args, tensor):
    if args.local_rank != -1:
        dist.all_reduce(tensor)
    if args.rank >= 0:
        dist.barrier()
    if not dist.is_initialized() or dist.get_rank() == 0:
        dist.barrier()


def each(tensor):
    for rank in range(dist.get_world_size()):
        if rank == 0:
            dist.broadcast(tensor, src=rank)


def low(matrix, rank):
    if rank == matrix.size(0):
        dist.barrier()
    if rank in (0, 1):
        dist.barrier()


def of_another(hvd, tensor):
    rank = hvd.local()
    if rank == 0:
        dist.all_reduce(tensor)


def epoch(tensor, number):
    if number == 0:
        dist.all_reduce(tensor)


def of_one(rank, world_size, callbacks):
    if world_size == 1 and rank == 0:
        dist.barrier()
    if rank == 0:
        callbacks.append(lambda: dist.barrier())
