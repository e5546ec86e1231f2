# The other processes come to a collective as well: the pairs of barriers around a download, both arms, code that is not known.
import contextlib

import torch.distributed as dist


def pair(rank, load):
    if rank not in [-1, 0]:
        dist.barrier()
    data = load()
    if rank == 0:
        dist.barrier()
    return data


@contextlib.contextmanager
def first(local_rank):
    if local_rank > 0:
        dist.barrier()
    yield
    if local_rank == 0:
        dist.barrier()


def both(tensor):
    if dist.get_rank() == 0:
        tensor += 1
        dist.broadcast(tensor, src=0)
    else:
        dist.broadcast(tensor, src=0)


def unknown(serve):
    if dist.get_rank() == 0:
        dist.barrier()
    else:
        serve()


def left(tensor, serve):
    if dist.get_rank() != 0:
        serve()
        return
    dist.broadcast(tensor, src=0)
