# rules: PF402, PF403
# options: unsafe
"""The lines beside name another device than CUDA, more than one, or one that is chosen below."""
import torch


def bound_below(x, y, device):
    if x.device != device:  # want: PF403 note
        y = y.cuda()
        device = torch.device("cpu", 0)
        x = x.to(device)
    return x, y


def two(x, y, z, device, other_device):
    if x.device != device:  # want: PF403 note
        x = x.to(device)
        y = y.to(other_device)
        z = z.cuda()
    return x, y, z


def to_the_cpu(x, y, device):
    if x.device != device:  # want: PF403 note
        device = "cpu"
        x = x.to(device)
        y = y.cuda()
    return x, y


def one_gpu(x, y, rank):
    device = torch.device(f"cuda:{rank}")
    if x.device != device:  # want: PF403 note
        x = x.to(device)
        y = y.cuda()
    return x, y


def where_it_lies(x, y, z, device):
    if x.device != device:  # want: PF403 note
        y = y.to(x.device)
        z = z.cuda()
    return x, y, z


def in_another_block(x, y, device):
    x = x.to(device)
    if x.device != device:  # want: PF403 note
        y = y.cuda()
    return x, y


def number(x, y, device, gpu):
    if x.device != device:  # want: PF403 note
        x = x.to(device)
        y = y.cuda(gpu)
    return x, y
