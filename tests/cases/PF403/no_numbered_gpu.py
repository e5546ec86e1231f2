"""Another number than the one that is asked for, a device in its place, and a number that is set again."""
import torch


def first_of(x, gpus):
    if gpus is not None:  # want: PF403 note
        x = x.float().cuda(gpus[0])
    return x


def other(x, gpu, rank):
    if gpu >= 0:  # want: PF403 note
        x = x.float().cuda(rank)
    return x


def mixed(x, y, gpu):
    if gpu >= 0:  # want: PF403 note
        x = x.float().cuda(gpu)
        y = y.float().cuda()
    return x, y


def in_loop(xs, gpu):
    for x in xs:
        gpu = gpu - 1
        if gpu >= 0:  # want: PF403 note
            y = torch.ones(2)
            y = y.cuda(gpu)
            print(x + y)


def without(x, gpu):
    if gpu is None:  # want: PF403 note
        x = x.float().cuda(gpu)
    return x


def at_hand(x, gpu, device):
    y = torch.ones(2)
    if gpu is not None:  # want: PF403 report
        y = y.cuda(gpu)
    return x.to(device), y


print(first_of(torch.ones(2), None))
