"""NCCL refuses the tensor that was not moved."""
# not run: it is for several processes
import torch
import torch.distributed as dist


def shared(n):
    x = torch.rand(n)
    x.cuda()  # want: PF303 unsafe
    dist.broadcast(x, 0)
    return x


def shared_under_a_condition(x, again):
    x = x.float()
    if again:
        x = torch.rand(x.size())
        x.cuda()  # want: PF303 unsafe
    if dist.is_initialized():
        dist.all_reduce(x)
    return x


def gathered(n, found):
    x = torch.rand(n)
    x.cuda()  # want: PF303 unsafe
    dist.all_gather(found, x)


def moved_first(n):
    x = torch.rand(n)
    x.cuda()  # want: PF303 unsafe, warning
    x = x + 1
    dist.broadcast(x, 0)
    return x


def shared_before(n):
    x = torch.rand(n)
    dist.broadcast(x, 0)
    x.cuda()  # want: PF303 unsafe, warning
    return x


def in_the_other_arm(n, many):
    x = torch.rand(n)
    if many:
        x.cuda()  # want: PF303 unsafe, warning
    else:
        dist.broadcast(x, 0)
    return x


def objects(n):
    x = torch.rand(n)
    x.cuda()  # want: PF303 unsafe, warning
    dist.broadcast_object_list([x], 0)
    return x
