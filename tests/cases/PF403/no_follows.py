"""Guards that ask where something lies, and moves that do not go there, or nobody knows."""
import torch
from torch import nn


class Bank:
    def __init__(self, x):
        self.x = x

    def cuda(self):
        return Bank(self.x.cuda())


def options(x, args):
    if args.is_cuda:  # want: PF403 note
        x = x.cuda()
    return x * 2


def itself(x):
    if x.is_cuda:  # want: PF403 note
        x = x.cuda()
    return x + 1


def other(x, y, gpu):
    if x.is_cuda:  # want: PF403 note
        y = y.cuda(gpu)
    return x * y


def first(x, y):
    if x.is_cuda:  # want: PF403 note
        y = y.cuda(0)
    return x * y


def not_there(x, y):
    if not x.is_cuda:  # want: PF403 note
        y = y.cuda()
    return x.cuda() * y


def on_the_host(p):
    if p.device.type == "cpu":  # want: PF403 note
        p = p.cuda()
    return p + 1


def either(x, z, y):
    if x.is_cuda or z.is_cuda:  # want: PF403 note
        y = y.cuda()
    return x * y


def bound_again(x, z, y):
    if x.is_cuda:  # want: PF403 note
        x = z[0]
        y = y.cuda()
    return x * y


def own(x, n):
    bank = Bank(torch.ones(n))
    if x.is_cuda:  # want: PF403 note
        bank = bank.cuda()
    return x * bank.x


def got(batch, n):
    if batch[n()].is_cuda:  # want: PF403 note
        y = torch.ones(2).cuda()
    else:
        y = torch.zeros(2)
    return y


def by_name(x):
    is_cuda = x.is_cuda
    weight = torch.ones(2)
    if is_cuda:  # want: PF403 note
        weight = weight.cuda()
    return x * weight


class Wrapper(nn.Module):
    def is_cuda(self):
        print("asked")
        return self.w.is_cuda

    def forward(self, x):
        mask = torch.ones(2)
        if self.is_cuda():  # want: PF403 note
            mask = mask.cuda()
        return x * mask


def with_a_way_out(x):
    y = torch.ones(2)
    try:
        if x.is_cuda:  # want: PF403 note
            y = y.cuda()
        return x * y
    except RuntimeError:
        return x.cpu() * y.cpu()
